import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCalls, runTurn, type TurnEvent, type TurnOptions } from '../../src/agent/index.ts';
import { createTurnView } from '../../src/faces/cli/chat/show-turn.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { createAnthropicCache } from '../support/anthropic-cache.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer, type WireServer } from '../support/wire-server.ts';

const long = (n: number) => `Nothing in remark ${n} matters to the readers of it. `.repeat(2_000);

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
const open = () => createSession(createMemoryStore(), { settings: { compaction: 'off' } });

function asker(session: Session, options: TurnOptions = {}) {
  return (server: WireServer, text: string) =>
    runTurn(session, text, {
      model: server.reference,
      openModel: { env: server.env },
      compaction: false,
      ...options,
    });
}

async function breaksOf(session: Session): Promise<unknown[]> {
  const breaks: unknown[] = [];
  for await (const { cacheBreak } of readCalls(session.store, await session.refresh()))
    breaks.push(cacheBreak);
  return breaks;
}

it('names another model, and a cache that has expired, for each call and in the terminal', async () => {
  await using anthropic = await startWireServer('anthropic', () => reply('Fine.'));
  await using openai = await startWireServer('openai-responses', () => reply('Fine.'));
  await using session = await open();
  const lines: unknown[] = [];
  const aside = (line: string) => lines.push(line);
  const view = createTurnView(
    { rich: false, held: false, answer: () => ({ aside, remark: aside }) } as never,
    'Sally',
    { onLoad: () => {}, onLate: () => {} },
  );
  const onEvent = (event: TurnEvent) => event.type === 'prefix-change' && view.see(event);
  const ask = asker(session, { onEvent });
  await ask(anthropic, long(1));
  wait(6 * MINUTE);
  await ask(anthropic, 'Two?');
  await ask(openai, 'Three?');
  await ask(openai, 'Four?');
  const model = { part: 'head', cause: 'model', name: anthropic.reference };
  const expired = { part: 'head', cause: 'expired' };
  expect(await breaksOf(session)).toEqual([undefined, expired, model, undefined]);
  const all = /^The provider reads all [\d,]{6} tokens anew: /;
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`${all.source}its cache has expired`)),
    expect.stringMatching(new RegExp(`${all.source}another model`)),
  ]);
});

it('believes a provider that reads from a cache which should have expired', async () => {
  const usage = { input: 1_000, output: 5, cacheRead: 900 };
  await using server = await startWireServer('anthropic', () => reply('Fine.', { usage }));
  await using session = await open();
  const ask = asker(session);
  await ask(server, 'One');
  wait(6 * MINUTE);
  await ask(server, 'Two');
  expect(await breaksOf(session)).toEqual([undefined, undefined]);
});

it('marks, prices and remembers what Anthropic keeps for an hour', async () => {
  const usage = { input: 10_000, output: 0, cacheWrite: 9_000, cacheWriteLong: 8_000 };
  await using server = await startWireServer('anthropic', () => reply('Fine.', { usage }));
  const cacheControl = { type: 'ephemeral', ttl: '1h' } as const;
  await using session = await createSession(createMemoryStore(), {
    settings: { compaction: 'off', systemPrompt: 'Be exact.' },
  });
  const ask = asker(session, { providerOptions: { anthropic: { cacheControl } } });
  await ask(server, long(1));
  wait(50 * MINUTE);
  await ask(server, 'Two?');
  wait(70 * MINUTE);
  await ask(server, 'Three?');
  expect(await breaksOf(session)).toEqual([undefined, undefined, { part: 'head', cause: 'expired' }]);
  // In what the provider reads nothing that is kept for minutes stands before what is kept for an hour.
  for (const { body } of server.requests) {
    const marks = [...JSON.stringify(body).matchAll(/"cache_control":(\{[^}]*\})/g)].map(([, mark]) => mark);
    expect(marks.length).toBeGreaterThan(1);
    expect(new Set(marks)).toEqual(new Set([JSON.stringify(cacheControl)]));
    createAnthropicCache().take(body);
  }
  for await (const { cost } of readCalls(session.store, session.info))
    expect(cost).toBeCloseTo((1_000 * 2 + 1_000 * 2.5 + 8_000 * 4) / 1_000_000, 9);
});
