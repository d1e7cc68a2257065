import { describe, expect, it } from 'vitest';
import { openAgent, type TurnEvent } from '../../src/agent/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { overflow, reply } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';

/** Questions of a chat in shares of the window: short ones, and pasted files that nearly fill it. */
const QUESTIONS = [
  0.003, 0.017, 0.419, 0.422, 0.006, 0.006, 0.085, 0.012, 0.421, 0.003, 0.085, 0.003, 0.017, 0.012, 0.017,
  0.003, 0.012, 0.084, 0.421, 0.011, 0.423, 0.085, 0.42, 0.017, 0.42, 0.084, 0.003, 0.018, 0.254, 0.003,
  0.252, 0.003, 0.006, 0.012, 0.017, 0.006, 0.012, 0.012, 0.011, 0.006, 0.003, 0.085, 0.255, 0.253, 0.42,
  0.017, 0.006, 0.003, 0.085, 0.003,
];
const WORDS = 'the queue of the worker takes a lease and writes to the log what it did with each row ';
const ANSWER = 'Alright, here is the next bit of it. '.repeat(6);
const SUMMARY = '# Summary\n\n## Overview\nSome talk.\n\n## Facts\n- The talk was pleasant.';

/** A chat with a model that counts `ratio` tokens for four characters, and refuses what is longer than its window. */
async function chat({ window, ratio }: { window: number; ratio: number }) {
  const asked: { tokens: number; isSummary: boolean }[] = [];
  await using server = await startWireServer('openai-chat', ({ body }: WireRequest) => {
    const sent = JSON.stringify(body.messages);
    const tokens = Math.ceil((sent.length / 4) * ratio);
    const isSummary = sent.includes('<transcript');
    asked.push({ tokens, isSummary });
    if (tokens > window) return overflow({ tokens, limit: window });
    return reply(isSummary ? SUMMARY : ANSWER, { usage: { input: tokens, output: 60 } });
  });
  await using store = createMemoryStore();
  await using session = await createSession(store);
  await using agent = await openAgent(session, { openModel: { env: server.env }, window });
  const compacted: number[] = [];
  const stops: string[] = [];
  for (const [turn, share] of QUESTIONS.entries()) {
    const onEvent = (event: TurnEvent) => {
      if (event.type !== 'compaction-end') return;
      if (event.outcome.did === 'compact') compacted.push(turn);
      if (event.outcome.did === 'stop') stops.push(`turn ${turn}: ${event.outcome.reason}`);
    };
    const question = `Turn ${turn}: ${WORDS.repeat(Math.ceil((share * window * 4) / WORDS.length))}`;
    await agent.send(question, { onEvent }).catch((error: unknown) => {
      if (!isThroughlineError(error, 'context-overflow')) throw error;
    });
  }
  const refused = asked.filter(({ tokens }) => tokens > window);
  return { compacted, stops, refused };
}

describe('a chat of short questions and long ones', () => {
  it.each([
    { window: 16_384, ratio: 1.4 },
    { window: 16_384, ratio: 1 },
    { window: 4_096, ratio: 1.2 },
  ])('is shortened to its end in a window of $window tokens, counted $ratio times as high', async (cell) => {
    const { compacted, stops, refused } = await chat(cell);
    expect(stops).toEqual([]);
    expect(refused).toEqual([]);
    expect(compacted.filter((turn) => turn > QUESTIONS.length / 2).length).toBeGreaterThan(2);
  });
});
