import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { openAgent, type SessionContext } from '../../src/agent/index.ts';
import { addFact, openProject, placeFolder } from '../../src/memory/index.ts';
import type { NewEntry } from '../../src/record/index.ts';
import { giveConsent } from '../../src/run/index.ts';
import { openSession } from '../../src/session/index.ts';
import { openStore } from '../../src/store/index.ts';
import { anySession, makeSession, only, text } from '../rpc/any-session.ts';
import { TRANSPORTS } from '../rpc/transports.ts';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer, type WireRequest, type WireServer } from '../support/wire-server.ts';
import { type ChatPlace, createChatPlace } from './chat-place.ts';

// One session in three copies of a store, asked once by the library, by the program in a pipe and over RPC: the provider gets
// the same bytes from each, and what each of them announces before is what is sent. Answers are streamed, summaries are not.

const words = fc.nat(40);

export const anyTalk = fc.record({
  session: anySession,
  /** Its own, one that is known nowhere, or none: then the environment's. Each with another window. */
  model: fc.constantFrom(
    'compatible:llama2',
    'compatible:codellama',
    'openrouter:qwen/qwen3-coder',
    undefined,
  ),
  agent: fc.option(fc.record({ instructions: words, tools: fc.nat(3) }), { nil: undefined }),
  /** Words of the project's instructions, and facts of its memory. */
  instructions: fc.option(words, { nil: undefined }),
  facts: fc.nat(2),
  /** Another window than the catalogue's, and how a terminal is given it. */
  window: fc.option(
    fc.record({
      tokens: fc.integer({ min: 3_000, max: 40_000 }),
      by: fc.constantFrom('option' as const, 'environment' as const),
    }),
    { nil: undefined },
  ),
});
export type AnyTalk = typeof anyTalk extends fc.Arbitrary<infer T> ? T : never;

export const WIRES = ['openai-chat', 'anthropic'] as const;

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

async function makeTalk(
  place: ChatPlace,
  server: WireServer,
  { talk, wire }: { talk: AnyTalk; wire: (typeof WIRES)[number] },
): Promise<string> {
  const { agent, instructions, facts } = talk;
  await using store = await place.open();
  await using line = await TRANSPORTS.websocket({ store, env: server.env });
  const project = await openProject(store, (await placeFolder(store, place.folder)).project);
  for (let fact = 0; fact < facts; fact++)
    await addFact(store, project, `Fact ${fact}: ${text(6 + fact)}.`, { source: { by: 'person' } });
  if (instructions !== undefined)
    writeFileSync(path.join(place.folder, 'AGENTS.md'), `Use tabs. ${text(instructions)}`);
  const id = await makeSession({ client: line.client, store }, talk.session, {
    provider: 'offline',
    model: 'quotes',
  });
  const model = wire === 'anthropic' ? anthropicModel(talk.model) : talk.model;
  const set = (name: string, value: string | null): NewEntry => ({
    body: { kind: 'setting', name, value, by: 'user' },
  });
  const agentPath = path.join(place.folder, 'agent.mjs');
  if (agent) {
    writeFileSync(agentPath, moduleText(agent));
    await giveConsent(agentPath);
  }
  await store.append(id, [
    set('provider', null),
    set('model', model ?? null),
    set('project', project.id),
    // A chat remembers both; one that had to write the name first would number the entries behind it otherwise.
    ...(agent ? [set('agentPath', agentPath), set('agent', 'Sally')] : []),
  ]);
  return id;
}

const anthropicModel = (model: string | undefined) =>
  model?.startsWith('compatible:') ? 'anthropic:claude-sonnet-4-5' : model;

function moduleText({ instructions, tools }: NonNullable<AnyTalk['agent']>): string {
  const told = Array.from(
    { length: tools },
    (_, n) =>
      `t${n}: { description: 'Looks at part ${n}.', inputSchema: { type: 'object' }, execute: () => 1 }`,
  );
  const says = JSON.stringify(`Be Sally. ${text(instructions)}`);
  return `export const name = 'Sally'; export const instructions = ${says}; export const tools = { ${told.join(', ')} };`;
}

/** What an announcement says: messages, numbers, and whether the turn compacts first. */
type Told = Pick<
  SessionContext['context'],
  'tokens' | 'window' | 'reserve' | 'parts' | 'messages' | 'instructions'
> & { readonly compacts: boolean };

const pick = ({ tokens, window, reserve, parts, messages, instructions, compacts }: Told): string =>
  withoutNewIds(JSON.stringify([tokens, window, reserve, parts, messages, instructions, compacts]));

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
  const { window } = talk;
  const inShell = window?.by === 'environment' ? { ...env, THROUGHLINE_WINDOW: `${window.tokens}` } : env;
  const option = window?.by === 'option' ? ['--window', `${window.tokens}`] : [];

  const asked = ['context', id, '--question', question, '--json', ...option];
  const { code, stdout, stderr } = await place.run(asked, { env: inShell });
  const inTerminal = code === 0 ? (JSON.parse(stdout) as Told) : undefined;
  if (!inTerminal) expect(stderr).toContain('head-too-large');
  const how = { id, question, env, window: window?.tokens, isRefused: !inTerminal };
  const byLibrary = await askLibrary(library, how);
  const overRpc = await askRpc(rpc, how);
  if (!inTerminal) return { outcome: 'refused', compacts: false, body: '' };
  expect(pick(byLibrary!)).toBe(pick(inTerminal));
  expect(pick(overRpc!)).toBe(pick(inTerminal));

  const ran = await place.talk([question, 'exit'], { env: inShell, args: ['--continue', id, ...option] });
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('Noted.')]);
  const requests = server.requests.filter(({ streaming }) => streaming);
  expect(requests).toHaveLength(3);
  const [first, ...others] = requests as [WireRequest, ...WireRequest[]];
  for (const other of others) expectSame(first, other, { isTight: window !== undefined });
  const body = bytesOf(first);
  expectInOrder(body, beginningsOf(talk, inTerminal.window));
  for (const copy of copies) rmSync(copy, { force: true });
  return { outcome: 'sent', compacts: inTerminal.compacts, body };
}

/** From here on the share of a window that a project may take holds all of it here. */
const ROOM_FOR_PROJECT = 8_000;

/** How the pieces of the head begin, in the order in which they are sent. */
function beginningsOf({ agent, session, instructions, facts }: AnyTalk, window: number): string[] {
  const hasRoom = window >= ROOM_FOR_PROJECT;
  return [
    ...(agent ? ['Be Sally.'] : []),
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
  readonly isRefused: boolean;
}

async function askLibrary(
  file: string,
  { id, question, env, window, isRefused }: Asked,
): Promise<Told | undefined> {
  await using store = await openStore(file);
  await using session = await openSession(store, id);
  await using agent = await openAgent(session, { openModel: { env }, window });
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
  return { ...foretold.context, compacts: foretold.compacts };
}

async function askRpc(
  file: string,
  { id, question, env, window, isRefused }: Asked,
): Promise<Told | undefined> {
  await using store = await openStore(file);
  await using line = await TRANSPORTS.http({
    store,
    env,
    agents: true,
    ...(window !== undefined && { window }),
  });
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

/**
 * The same bytes, but for ids that each face makes anew: of a summary, of a question that is cut. Ids have different numbers of
 * tokens, so in a tight window more or less fits beside them; then the head and the tools are the same.
 */
function expectSame(one: WireRequest, other: WireRequest, { isTight }: { isTight: boolean }): void {
  const hasNewIds = idsIn(one) !== idsIn(other);
  if (isTight && hasNewIds) expect(headOf(other)).toEqual(headOf(one));
  else expect(bytesOf(other)).toBe(bytesOf(one));
}

const idsIn = ({ body }: WireRequest): string => (JSON.stringify(body).match(ID) ?? []).join(' ');

function headOf({ body }: WireRequest): unknown {
  const { model, system, tools, messages } = body as Record<string, unknown> & {
    messages: { role: string }[];
  };
  return { model, system, tools, first: messages.filter(({ role }) => role === 'system') };
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const bytesOf = ({ body }: WireRequest): string => withoutNewIds(JSON.stringify(body));

/** A question that is cut names itself by its id, and each face gives it another. */
function withoutNewIds(said: string): string {
  return said.replace(ID, 'ID');
}
