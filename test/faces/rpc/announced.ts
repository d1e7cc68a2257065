import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { contextAt, contextFor } from '../../../src/agent/index.ts';
import type { BuiltContext } from '../../../src/context/index.ts';
import type { LiveEvent } from '../../../src/faces/rpc/client/index.ts';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import { newEntryId } from '../../../src/record/index.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { reply, replyObject } from '../../support/wire-script.ts';
import { startWireServer, type WireServer } from '../../support/wire-server.ts';
import { type AnySession, makeSession, only, text } from './any-session.ts';
import { askAnnounced } from './ask-announced.ts';
import { until } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

// Whatever happened in a session: what resume, the meter and the command line announce is what the provider receives.

export const WINDOWS = { llama2: 4_096, codellama: 16_384, 'claude-sonnet-4-5': 200_000 } as const;
export const MODELS = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[];
export const WIRES = ['openai-chat', 'anthropic'] as const;
const PROVIDERS = { 'openai-chat': 'compatible', anthropic: 'anthropic' } as const;

/** A server with a provider of each kind, and one more of each that the announced requests are sent to. */
export interface Stage extends AsyncDisposable {
  readonly client: RpcClient;
  readonly store: Store;
  readonly wires: Record<
    (typeof WIRES)[number],
    { readonly sent: WireServer; readonly announced: WireServer }
  >;
  readonly env: Readonly<Record<string, string>>;
  /** Where the store is, and nothing else that a command would read. */
  readonly folder: string;
  ratio: number;
}

export async function openStage(): Promise<Stage> {
  const told = { ratio: 1 };
  const answer = (body: unknown) => {
    const text = JSON.stringify(body);
    const input = Math.round((text.length / 4) * told.ratio);
    return text.includes(QUESTION) && !text.includes('Conversation transcript')
      ? reply('Noted.', { usage: { input, output: 5 } })
      : replyObject(RECORD, { usage: { input, output: 50 } });
  };
  const start = (wire: (typeof WIRES)[number]) => startWireServer(wire, ({ body }) => answer(body));
  const wires = {
    'openai-chat': { sent: await start('openai-chat'), announced: await start('openai-chat') },
    anthropic: { sent: await start('anthropic'), announced: await start('anthropic') },
  };
  const env = { ...wires['openai-chat'].sent.env, ...wires.anthropic.sent.env };
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-announced-'));
  // In a file, so that the server and the command line share an index.
  const store = await openStore(path.join(folder, 's.db'), { durability: 'normal' });
  const line = await TRANSPORTS.websocket({ store, env });
  return Object.assign(told, {
    client: line.client,
    store,
    wires,
    env,
    folder,
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
      for (const { sent, announced } of Object.values(wires)) {
        await sent[Symbol.asyncDispose]();
        await announced[Symbol.asyncDispose]();
      }
    },
  });
}

const QUESTION = 'QUESTION-MARK';
const LISTS = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };
const RECORD = { background: 'Initial session.', overview: 'Several things were talked about.', ...LISTS };

export interface Tally {
  requests: number;
  /** Turns whose question left no room: they compacted first, and said so before. */
  compactedFirst: number;
  /** Sessions that resume compacted. */
  compacted: number;
  /** Questions for which the head and the pins leave no room: nothing is sent. */
  refused: number;
  /** Requests that the ladder made fit. */
  fitted: number;
}

export const newTally = (): Tally => ({
  requests: 0,
  compactedFirst: 0,
  compacted: 0,
  refused: 0,
  fitted: 0,
});

interface CheckOptions {
  readonly wire: (typeof WIRES)[number];
  readonly model: keyof typeof WINDOWS;
  readonly tally: Tally;
  /** `built`: also the command of the built package, in a process of its own, for every question. */
  readonly command?: 'in-process' | 'built';
}

export async function checkAnnounced(
  stage: Stage,
  session: AnySession,
  { wire, model, tally, command = 'in-process' }: CheckOptions,
): Promise<void> {
  stage.ratio = session.ratio;
  const sessionId = await makeSession(stage, session, { provider: PROVIDERS[wire], model });
  for (const [index, words] of session.questions.entries()) {
    const question = `${QUESTION} ${index} ${text(words)}?`;
    // Earlier questions, their answers and the result of a call that was never begun are not marked.
    const unmarked = index * 2 + (session.end === 'open call' ? 1 : 0);
    await askOnce(stage, sessionId, { wire, question, unmarked, tally, command });
  }
}

async function askOnce(
  stage: Stage,
  sessionId: string,
  {
    wire,
    question,
    unmarked,
    tally,
    command,
  }: Required<Omit<CheckOptions, 'model'>> & { question: string; unmarked: number },
): Promise<void> {
  const { client, store, wires, env } = stage;
  const id = newEntryId();
  const resumed = await client
    .call('ai/session/resume', { chatSessionId: sessionId })
    .catch(only('head-too-large'));
  if (!resumed) {
    // Pins that alone are larger than the window: nothing can be sent, and everything says so.
    const meter = client.call('chat/context/meter', { sessionId, question });
    await expect(meter).rejects.toMatchObject({ code: 'head-too-large' });
    tally.refused++;
    return;
  }
  const bare = await client.call('chat/context/meter', { sessionId, again: false });
  expect(pick(bare)).toEqual({
    tokens: resumed.contextTokens,
    messagesLoaded: resumed.messagesLoaded,
    compactionsApplied: resumed.compactionsApplied,
  });
  const { aiSessionId } = resumed;
  const announced = await client
    .call('chat/context/meter', { sessionId, question, id, messages: true })
    .catch(only('head-too-large'));
  if (!announced) {
    // There is room for the system prompt, and none for this question beside it.
    const events = await send(client, { sessionId, aiSessionId, question, id });
    expect(events.find(({ type }) => type === 'turn-error')).toMatchObject({ code: 'head-too-large' });
    tally.refused++;
    return;
  }
  const inTerminal = await contextFor(store, sessionId, { question, id, openModel: { env } });
  expect({ ...pick(announced), compacts: announced.compacts }).toEqual({
    tokens: inTerminal.context.tokens,
    messagesLoaded: inTerminal.holds.messages,
    compactionsApplied: inTerminal.holds.summaries,
    compacts: inTerminal.compacts,
  });
  const printed = command === 'built' ? await printContext(stage, sessionId, question) : undefined;
  const { sent } = wires[wire];
  const before = sent.requests.length;
  const events = await send(client, { sessionId, aiSessionId, question, id });
  const started = events.find((event) => event.type === 'request-start')!;
  expect(events.map(({ type }) => type)).not.toContain('turn-error');
  const compactsFirst = events
    .slice(0, events.indexOf(started))
    .some((event) => event.type === 'compaction-end' && event.compactionId !== null);
  tally.requests++;
  if (resumed.autoCompacted) tally.compacted++;
  if (compactsFirst) {
    // Only what the question adds makes a turn compact right after resume, and the meter says so.
    expect(announced.compacts).toBe(true);
    expect(announced.steps.length > 0 || announced.tokens > bare.tokens).toBe(true);
    tally.compactedFirst++;
  } else {
    expect(started).toMatchObject(pickSizes(announced));
    const { context } = inTerminal;
    // A question may be cut to its last words, so the request is told from those for summaries by its limit.
    const asked = sent.requests.slice(before).find(({ body }) => body.max_tokens === context.maxOutput)!;
    const { instructions, messages } = announced;
    const { tools = [] } = inTerminal;
    const again = await askAnnounced(wires[wire].announced, started.model, {
      tools,
      context: { ...context, instructions: instructions!, messages: messages as BuiltContext['messages'] },
    });
    expect(JSON.stringify(asked.body)).toBe(JSON.stringify(again.body));
    if (printed) {
      const { tokens, window, reserve } = printed;
      expect({ tokens, window, reserve }).toEqual(pickSizes(announced));
      const commanded = await askAnnounced(wires[wire].announced, started.model, {
        tools,
        context: { ...context, ...printed },
      });
      expect(JSON.stringify(commanded.body)).toBe(JSON.stringify(asked.body));
    }
    if (announced.steps.length === 0 && bare.steps.length === 0) {
      expect(announced.messagesLoaded).toBe(resumed.messagesLoaded);
      if (bare.compactionsApplied === 0)
        expect(markersIn(asked.body) + unmarked).toBe(resumed.messagesLoaded);
    }
    if (announced.steps.length > 0) tally.fitted++;
  }
  const info = (await store.session(sessionId))!;
  const asked = await store.read(sessionId, { only: 'messages', order: 'newest-first', limit: 2 });
  expect(await contextAt(store, info, asked[1]!.seq)).toMatchObject({ exact: true });
}

type Printed = Pick<BuiltContext, 'instructions' | 'messages'> & Pick<Sizes, 'tokens'> & Windows;

/** `throughline context` of the built package, in a folder and a home of which a model is told nothing. */
async function printContext({ folder, env }: Stage, id: string, question: string): Promise<Printed> {
  const args = ['context', id, '--question', question, '--json', '--store', path.join(folder, 's.db')];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.resolve('bin/throughline.mjs'), ...args],
    {
      cwd: folder,
      env: { ...env, HOME: folder, PATH: process.env.PATH },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return JSON.parse(stdout) as Printed;
}

interface Asked {
  readonly sessionId: string;
  readonly aiSessionId: string;
  readonly question: string;
  readonly id: string;
}

/** Sends a question and gives what happened until the turn was over. */
async function send(
  client: RpcClient,
  { sessionId, aiSessionId, question, id }: Asked,
): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  const watch = client.watch(sessionId, { onEvent: (event) => events.push(event) });
  await client.call('ai/session/send', { sessionId: aiSessionId, content: question, id });
  await until(() => events.some(({ type }) => /^turn-(?:end|error)$/.test(type)) || undefined);
  watch.close();
  return events;
}

interface Sizes {
  readonly tokens: number;
  readonly messagesLoaded: number;
  readonly compactionsApplied: number;
}

const pick = ({ tokens, messagesLoaded, compactionsApplied }: Sizes): Sizes => ({
  tokens,
  messagesLoaded,
  compactionsApplied,
});

interface Windows {
  readonly window: number;
  readonly reserve: number;
}

const pickSizes = ({ tokens, window, reserve }: Pick<Sizes, 'tokens'> & Windows) => ({
  tokens,
  window,
  reserve,
});

/** How many of the messages that were made here are in a body. */
function markersIn(body: unknown): number {
  return new Set(JSON.stringify(body).match(/<<\d+>>/g)).size;
}
