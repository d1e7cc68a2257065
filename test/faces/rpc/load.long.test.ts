import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSocketClient } from '../../../src/faces/rpc/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { startServe } from './served.ts';

const SESSIONS = 500;
const WATCHERS = 200;
const ROUNDS = 9;
/** By then everything is loaded, every cache is as large as it gets, and the heap has found its size. */
const WARM = 4;

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-load-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ');

it(`streams ${SESSIONS} sessions at once to ${WATCHERS} watchers: nothing dropped, nothing out of order, memory flat`, async () => {
  await using model = await startWireServer('openai-chat', ({ body }) => ({
    ...reply(`${body.messages.at(-1).content}: ${WORDS}`),
    delivery: { trickleMs: 5 },
  }));
  // As people start it: the server itself sees to it that the engine takes no more than it needs.
  await using served = await startServe(path.join(folder, 'store.db'), [], model.env);
  const connect = () => createSocketClient({ url: served.url, token: served.token!, reconnect: false });
  const caller = connect();
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, index) => {
      const { aiSessionId, chatSessionId } = await caller.call('ai/session/create', {
        title: `Session ${index}`,
      });
      return { aiSessionId, chatSessionId };
    }),
  );
  const watchers = sessions.slice(0, WATCHERS).map(({ chatSessionId }) => {
    const client = connect();
    const seen = {
      seqs: [] as number[],
      texts: [] as string[],
      text: '',
      indexes: [] as number[],
      ends: 0,
      ready: false,
    };
    client.watch(chatSessionId, {
      after: 0,
      onEntry: ({ seq }) => seen.seqs.push(seq),
      onCaughtUp() {
        seen.ready = true;
      },
      onEvent(event, { index }) {
        if (event.type === 'input-stored' && !event.waiting) [seen.text, seen.indexes] = ['', []];
        seen.indexes.push(index);
        if (event.type === 'text-delta') seen.text += event.text;
        if (event.type === 'turn-end') {
          seen.ends++;
          seen.texts.push(seen.text);
          expect(seen.indexes).toEqual(seen.indexes.map((_, at) => at + seen.indexes[0]!));
        }
      },
    });
    return { client, seen };
  });
  // Events are for whoever is there.
  await until(() => watchers.every(({ seen }) => seen.ready) || undefined);
  const memory: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const asked = model.requests.length;
    await Promise.all(
      sessions.map(({ aiSessionId }, index) =>
        caller.call('ai/session/send', {
          sessionId: aiSessionId,
          content: `Q${round}-${index}`,
          stream: false,
        }),
      ),
    );
    await until(() => watchers.every(({ seen }) => seen.ends === round + 1) || undefined);
    await until(async () => {
      const last = sessions.at(-1)!.chatSessionId;
      const { session } = await caller.call('chat/session/get', { sessionId: last });
      return (
        (session.messages === 2 * (round + 1) && model.requests.length === asked + SESSIONS) || undefined
      );
    });
    times.push(Math.round(performance.now() - start));
    memory.push(rssOf(served.child.pid!));
    console.log(`round ${round + 1}: ${times.at(-1)} ms, ${Math.round(memory.at(-1)! / 1024)} MB`);
  }
  for (const [index, { seen }] of watchers.entries()) {
    expect(seen.seqs).toEqual(seen.seqs.map((_, at) => at + 1));
    expect(seen.texts).toEqual(Array.from({ length: ROUNDS }, (_, round) => `Q${round}-${index}: ${WORDS}`));
  }
  for (const { chatSessionId } of sessions) {
    const { messages } = await caller.call('chat/message/list', { sessionId: chatSessionId });
    expect(messages.map(({ role }) => role)).toEqual(Array(ROUNDS).fill(['user', 'assistant']).flat());
    expect(messages.at(-1)!.content).toContain(WORDS);
  }
  const warm = Math.max(...memory.slice(0, WARM));
  expect(Math.max(...memory.slice(WARM))).toBeLessThan(warm * 1.15);
  for (const { client } of watchers) client.close();
  caller.close();
});

/** In KB. */
function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}
