import { describe, expect, it } from 'vitest';
import { buildContext, type ContextState } from '../../src/context/index.ts';
import type { Entry } from '../../src/record/index.ts';
import { assistant, compaction, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { stateOf } from './states.ts';

// 10,000 messages, of which four compactions cover all but 196: 200 B questions, 8 KB results, 2 KB answers.
const words = (length: number) =>
  'The quick brown fox writes const x = compute(y); '.repeat(200).slice(0, length);

function frontierOf(round: number): Entry[] {
  const turns = Array.from({ length: 49 }, (_, n) => [
    user(`${round} ${n} ${words(200)}`),
    toolCall('look', { path: `src/${n}.ts` }, { id: `c${n}` }),
    toolResult('look', `${words(8_000)} ${round} ${n}`, { id: `c${n}` }),
    assistant(`${words(2_000)} ${round} ${n}`),
  ]);
  const covers = [1, 2, 3, 4].map((n) =>
    compaction({ covers: { from: n * 2_400, to: n * 2_400 + 2_399 }, summary: words(4_000) }),
  );
  return logOf(...covers, ...turns.flat(), user(`one more ${round}`));
}

function timed(state: ContextState): number {
  const start = performance.now();
  buildContext(state, { window: 1_000_000 });
  return performance.now() - start;
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

describe('building the context of a session of 10,000 messages', () => {
  it('costs a fraction when only one message is new', () => {
    const rounds = Array.from({ length: 80 }, (_, round) => {
      const frontier = frontierOf(round);
      return { first: timed(stateOf(frontier.slice(0, -1))), again: timed(stateOf(frontier)) };
    }).slice(20);
    const first = median(rounds.map((round) => round.first));
    const again = median(rounds.map((round) => round.again));
    console.log(`first build ${first.toFixed(2)} ms, after one more message ${again.toFixed(2)} ms`);
    expect(again / first).toBeLessThanOrEqual(0.3);
    expect(first).toBeLessThan(50);
  });
});
