import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { contextFor, openAgent, type SessionContext } from '../../src/agent/index.ts';
import { openSession } from '../../src/session/index.ts';
import { openStore } from '../../src/store/index.ts';
import { only, text } from '../faces/rpc/any-session.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer, type WireRequest, type WireServer } from '../support/wire-server.ts';
import { type AnyTalk, makeTalk, type WIRES } from './any-talk.ts';
import { type ChatPlace, createChatPlace } from './chat-place.ts';

// One session in three copies of a store, asked once by the library, by the program in a pipe and over RPC: the provider gets
// the same bytes from each, and what each of them announces before is what is sent. Answers are streamed, summaries are not.

const QUESTION = 'QUESTION-MARK';
const LISTS = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };
const RECORD = { background: 'Initial session.', overview: 'Several things were talked about.', ...LISTS };

export interface Checked {
  readonly outcome: 'sent' | 'refused';
  /** What each face announced and sent, if it was sent. */
  readonly compacts: boolean;
  readonly body: string;
}

export async function checkFaces(talk: AnyTalk, wire: (typeof WIRES)[number]): Promise<Checked> {
  using place = createChatPlace();
  await using server = await startWireServer(wire, ({ streaming }) =>
    streaming ? reply('Noted.', { usage: { input: 900, output: 5 } }) : replyObject(RECORD),
  );
  const before = process.env.HOME;
  process.env.HOME = place.home;
  try {
    const id = await makeTalk(place, server, { talk, wire });
    return await askThrice(place, server, {
      id,
      question: `${QUESTION} ${text(talk.session.questions[0]!)}?`,
      talk,
    });
  } finally {
    process.env.HOME = before;
  }
}

/** What an announcement says: the model, messages, numbers, whether the turn compacts first, and who is left out. */
type Told = Pick<
  SessionContext['context'],
  'tokens' | 'window' | 'reserve' | 'parts' | 'messages' | 'instructions'
> & { readonly model: string; readonly compacts?: boolean; readonly agentProblem?: string };

const pick = (told: Told): string => {
  const { model, tokens, window, reserve, parts, messages, instructions, compacts, agentProblem } = told;
  const numbers = [tokens, window, reserve, parts];
  return withoutNewIds(JSON.stringify([model, numbers, messages, instructions, compacts, agentProblem]));
};

const toldBy = ({ context, compacts, model, agentProblem }: SessionContext): Told => ({
  ...context,
  compacts,
  model,
  ...(agentProblem !== undefined && { agentProblem }),
});

async function askThrice(
  place: ChatPlace,
  server: WireServer,
  { id, question, talk }: { id: string; question: string; talk: AnyTalk },
): Promise<Checked> {
  const location = path.join(place.home, '.throughline', 'throughline.db');
  const copies = ['library.db', 'rpc.db'].map((name) => path.join(place.home, name));
  for (const copy of copies) copyFileSync(location, copy);
  const [library, rpc] = copies as [string, string];
  const { env } = server;
  const { window, recall } = talk;
  const inShell = window?.by === 'environment' ? { ...env, THROUGHLINE_WINDOW: `${window.tokens}` } : env;
  const option = [
    ...(window?.by === 'option' ? ['--window', `${window.tokens}`] : []),
    ...(recall === undefined ? [] : ['--recall', `${recall}`]),
  ];

  const asked = ['context', id, '--question', question, '--json', ...option];
  const { code, stdout, stderr } = await place.run(asked, { env: inShell });
  const inTerminal = code === 0 ? (JSON.parse(stdout) as Told) : undefined;
  if (!inTerminal) expect(stderr).toContain('head-too-large');
  const how = { id, question, env, window: window?.tokens, recall, isRefused: !inTerminal };
  await checkEarlier(place, { ...how, at: talk.at, files: [library, rpc], option, inShell });
  const byLibrary = await askLibrary(library, how);
  const overRpc = await askRpc(rpc, how);
  if (!inTerminal) return { outcome: 'refused', compacts: false, body: '' };
  expect(pick(byLibrary!)).toBe(pick(inTerminal));
  expect(pick(overRpc!)).toBe(pick(inTerminal));

  const ran = await place.talk([question, 'exit'], { env: inShell, args: ['--continue', id, ...option] });
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('Noted.')]);
  const isBroken = talk.agent !== undefined && talk.agent.state !== 'whole';
  expect([inTerminal.agentProblem !== undefined, ran.stderr.includes('which cannot be used here')]).toEqual([
    isBroken,
    isBroken,
  ]);
  const requests = server.requests.filter((request) => request.streaming && !asksForRecord(request));
  expect(requests).toHaveLength(3);
  const [first, ...others] = requests as [WireRequest, ...WireRequest[]];
  const body = bytesOf(first);
  for (const other of others) expect(bytesOf(other)).toBe(body);
  expectInOrder(body, beginningsOf(talk, inTerminal.window));
  if (talk.project !== 'folder')
    for (const words of ['Use tabs.', 'Fact 0:']) expect(body).not.toContain(words);
  for (const copy of copies) rmSync(copy, { force: true });
  return { outcome: 'sent', compacts: inTerminal.compacts === true, body };
}

/** The request of an earlier entry is the same by every face, and that of the newest one is the next. */
async function checkEarlier(
  place: ChatPlace,
  { id, question, env, window, recall, at, files, option, inShell }: Earlier,
): Promise<void> {
  const [library, rpc] = files;
  await using store = await openStore(library);
  const { head } = (await store.session(id))!;
  const entry = Math.max(1, Math.ceil(at * head));
  const choices = { openModel: { env }, window, recall, question };
  const byLibrary = await contextFor(store, id, { ...choices, at: entry }).catch(only('head-too-large'));
  const asked = ['context', id, '--question', question, '--at', `${entry}`, '--json', ...option];
  const { code, stdout, stderr } = await place.run(asked, { env: inShell });
  expect([code === 0, stderr.includes('head-too-large')]).toEqual([!!byLibrary, !byLibrary]);
  await using other = await openStore(rpc);
  await using line = await TRANSPORTS.http({
    store: other,
    env,
    agents: true,
    ...standing({ window, recall }),
  });
  const params = { sessionId: id, question, at: entry, messages: true };
  const overRpc = await line.client.call('chat/context/meter', params).catch(only('head-too-large'));
  expect(overRpc !== undefined).toBe(byLibrary !== undefined);
  if (byLibrary) {
    // A command says of the next request alone whether it compacts.
    const { compacts, ...told } = toldBy(byLibrary);
    expect(pick(overRpc as unknown as Told)).toBe(pick({ ...told, compacts: compacts === true }));
    const printed = JSON.parse(stdout) as Told;
    expect(pick({ ...printed, compacts: compacts === true })).toBe(
      pick({ ...told, compacts: compacts === true }),
    );
  }
  const newest = await contextFor(store, id, { ...choices, at: head }).catch(only('head-too-large'));
  const next = await contextFor(store, id, choices).catch(only('head-too-large'));
  expect(newest).toEqual(next);
}

interface Earlier extends Omit<Asked, 'isRefused'> {
  readonly at: number;
  readonly files: readonly [string, string];
  readonly option: readonly string[];
  readonly inShell: Readonly<Record<string, string>>;
}

const standing = ({ window, recall }: Pick<Asked, 'window' | 'recall'>) => ({
  ...(window !== undefined && { window }),
  ...(recall !== undefined && { recall }),
});

/** From here on the share of a window that a project may take holds all of it here. */
const ROOM_FOR_PROJECT = 8_000;

/** How the pieces of the head begin, in the order in which they are sent. */
function beginningsOf(talk: AnyTalk, window: number): string[] {
  const { agent, session, instructions, facts, project } = talk;
  const hasRoom = project === 'folder' && window >= ROOM_FOR_PROJECT;
  return [
    ...(agent?.state === 'whole' ? ['Be Sally.'] : []),
    ...(session.systemPrompt === undefined ? [] : ['Be kind.']),
    ...(hasRoom && instructions !== undefined ? ['Use tabs.'] : []),
    ...(hasRoom && facts > 0 ? ['Fact 0:'] : []),
    QUESTION,
  ];
}

export function expectInOrder(body: string, words: readonly string[]): void {
  const places = words.map((one) => body.indexOf(one));
  expect([words, places]).toEqual([words, places.toSorted((a, b) => a - b)]);
  expect([words, places.includes(-1)]).toEqual([words, false]);
}

interface Asked {
  readonly id: string;
  readonly question: string;
  readonly env: WireServer['env'];
  readonly window: number | undefined;
  readonly recall: number | undefined;
  readonly isRefused: boolean;
}

async function askLibrary(
  file: string,
  { id, question, env, window, recall, isRefused }: Asked,
): Promise<Told | undefined> {
  await using store = await openStore(file);
  await using session = await openSession(store, id);
  await using agent = await openAgent(session, { openModel: { env }, window, recall });
  const foretold = await agent.context({ question }).catch(only('head-too-large'));
  if (isRefused || !foretold) {
    expect(foretold).toBeUndefined();
    return undefined;
  }
  const { input } = await agent.send(question);
  const { context, sent } = await agent.context({ at: input.seq });
  expect(sent?.exact).toBe(true);
  if (!foretold.compacts) {
    const told = ({ tokens, messages, instructions }: SessionContext['context']) =>
      withoutNewIds(JSON.stringify([tokens, messages, instructions]));
    expect(told(context)).toBe(told(foretold.context));
  }
  return toldBy(foretold);
}

async function askRpc(
  file: string,
  { id, question, env, window, recall, isRefused }: Asked,
): Promise<Told | undefined> {
  await using store = await openStore(file);
  await using line = await TRANSPORTS.http({ store, env, agents: true, ...standing({ window, recall }) });
  const { client } = line;
  const foretold = await client
    .call('chat/context/meter', { sessionId: id, question, messages: true })
    .catch(only('head-too-large'));
  if (isRefused || !foretold) {
    expect(foretold).toBeUndefined();
    return undefined;
  }
  const sent = await client.call('ai/session/send', { storageSessionId: id, content: question, wait: true });
  expect(sent).toMatchObject({ text: 'Noted.', turn: { status: 'complete' } });
  return foretold as unknown as Told;
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const bytesOf = ({ body }: WireRequest): string => withoutNewIds(JSON.stringify(body));

/**
 * Each face makes the ids of its own entries: of a summary, and of a question, which is named where it is cut. They cost the same
 * whatever their digits are, so nothing else may differ: neither where a text is cut nor how long the answer may be.
 */
function withoutNewIds(said: string): string {
  return said.replace(ID, 'ID');
}

/** Also streamed, as one more request of the chat, where a turn leaves the context nearly full. */
function asksForRecord({ body }: WireRequest): boolean {
  return JSON.stringify(body).includes('asks for a record of a part');
}
