import { describe, expect, it } from 'vitest';
import { readCalls, runTurn, type TurnOptions } from '../../src/agent/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer, type WireServer } from '../support/wire-server.ts';

const SUMMARY = 'NATIVE SUMMARY: the printer in Leeds charges 4711 pounds.';
const open = (): Promise<Session> =>
  createSession(createMemoryStore(), { id: 's', settings: { compaction: 'off' } });

function asker(session: Session, server: WireServer, options: TurnOptions = {}) {
  const { reference: model, env } = server;
  return (text: string, more: TurnOptions = {}) =>
    runTurn(session, text, { model, openModel: { env }, compaction: false, ...options, ...more });
}

async function callsOf(session: Session): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  for await (const call of readCalls(session.store, await session.refresh()))
    calls.push([call.for, call.usage?.inputTokens, call.usage?.outputTokens]);
  return calls;
}

describe('the usage of a call with a summary by the provider', () => {
  const native = {
    text: SUMMARY,
    summary: { input: 180_000, output: 900 },
    message: { input: 23_000, output: 50 },
  };

  it('is two calls in the ledger, and does not change the calibration', async () => {
    const filler = 'A few words to be counted. '.repeat(200);
    const usage = { input: 1_300, output: 50 };
    await using server = await startWireServer('anthropic', [
      ...Array.from({ length: 4 }, () => reply('Fine.', { usage })),
      reply('Fine.', { native, usage: { input: 23_000, output: 50 } }),
      reply('Fine.', { usage }),
    ]);
    const session = await open();
    const ratios: number[] = [];
    const ask = asker(session, server, {
      onEvent: (event) => event.type === 'request-start' && ratios.push(event.tokens),
    });
    for (let n = 0; n < 6; n++) await ask(n === 0 ? filler : `Question ${n}`);
    expect((await callsOf(session)).slice(4, 6)).toEqual([
      ['compaction', 180_000, 900],
      ['answer', 23_000, 50],
    ]);
    // A request behind the summary is small, and counted as such.
    expect(ratios.at(-1)).toBeLessThan(ratios.at(-2)! / 2);
  });

  it('is the request as it was sent, with the tool outputs that the provider left out', async () => {
    const filler = 'A few words to be counted. '.repeat(2_000);
    await using server = await startWireServer('anthropic', () =>
      reply('Fine.', { usage: { input: 4_000, output: 5 }, cleared: 8_000 }),
    );
    const session = await open();
    const counts: number[] = [];
    const ask = asker(session, server, {
      onEvent: (event) => event.type === 'request-start' && counts.push(event.tokens),
    });
    for (let n = 0; n < 5; n++) await ask(n === 0 ? filler : `Question ${n}`);
    expect(counts.at(-1)! / 12_000).toBeGreaterThan(0.9);
    expect(counts.at(-1)! / 12_000).toBeLessThan(1.2);
  });
});
