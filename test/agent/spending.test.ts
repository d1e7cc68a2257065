import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldSpending,
  NO_SPENDING,
  readCalls,
  readSpending,
  type SpendingSum,
  sayCost,
} from '../../src/agent/index.ts';
import type { EntryBody, Usage } from '../../src/record/index.ts';
import { createSession, forkSession, openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, compaction, logOf, restoration, toolResult, user } from '../../src/testing/index.ts';

const SONNET = 'anthropic:claude-sonnet-4-5';
const used = (inputTokens: number, outputTokens: number, cost?: number): Usage => ({
  inputTokens,
  outputTokens,
  ...(cost !== undefined && { cost }),
});
const fold = (...bodies: EntryBody[]) => logOf(...bodies).reduce(foldSpending, NO_SPENDING);

describe('what a session cost', () => {
  it('is listed call by call: answers, compactions and the restoration each on a separate line', async () => {
    const store = createMemoryStore();
    const session = await createSession(store, { id: 's' });
    await session.append([
      {
        ...restoration('before'),
        acknowledgement: { parts: [], model: SONNET, usage: used(89, 67, 0.001) },
      },
      user('One'),
      assistant('Two', { model: SONNET, usage: used(100, 20, 0.01) }),
      toolResult('x', 'y'),
      assistant('Three', { model: SONNET, usage: used(200, 30, 0.02) }),
      compaction({
        covers: { from: 2, to: 3 },
        usage: used(500, 50, 0.03),
        by: { kind: 'model', model: SONNET },
      }),
      compaction({ covers: { from: 2, to: 4 } }),
    ]);
    const {
      answers,
      compactions,
      restoration: restored,
      session: own,
      combined,
    } = await readSpending(store, session.info);
    expect(answers).toMatchObject({ calls: 2, tokens: 350, usage: { inputTokens: 300, outputTokens: 50 } });
    expect(compactions).toMatchObject({ calls: 1, tokens: 550, cost: 0.03 });
    expect(restored).toMatchObject({ calls: 1, tokens: 156 });
    expect(own).toMatchObject({ calls: 3, tokens: 900 });
    expect(combined).toMatchObject({ calls: 4, tokens: 1_056 });
    expect(combined.cost).toBeCloseTo(0.061);
    expect(sayCost(combined)).toBe('$0.0610');
    const calls: unknown[] = [];
    for await (const { for: what, model } of readCalls(store, session.info)) calls.push([what, model]);
    expect(calls).toEqual([
      ['restoration', SONNET],
      ['answer', SONNET],
      ['answer', SONNET],
      ['compaction', SONNET],
    ]);
  });

  it('comes from the catalogue when it is not in the log, and is unknown without a price', () => {
    const { answers } = fold(
      assistant('a', { model: SONNET, usage: used(200_000, 0) }),
      assistant('b', { model: 'compatible:mystery', usage: used(10, 10) }),
      assistant('c', { model: 'ollama:qwen3', usage: used(10, 10) }),
      assistant('d', { model: 'offline:quotes', usage: used(10, 10) }),
      assistant('e', { model: SONNET, status: 'interrupted' }),
      assistant('f', { model: 'ollama:kimi:cloud', usage: used(10, 10) }),
    );
    expect(answers).toMatchObject({ calls: 6, cost: 0.6, unpriced: 2, unreported: 1 });
    expect(sayCost(answers)).toBe('at least $0.6000 (3 calls of unknown price)');
    expect(sayCost(fold(assistant('b', { model: 'x:y', usage: used(1, 1) })).combined)).toBe('price unknown');
    expect(sayCost(fold(assistant('d', { model: 'offline:quotes', usage: used(1, 1) })).combined)).toBe(
      '$0.00',
    );
    expect(sayCost(NO_SPENDING.combined)).toBe('$0.00');
  });

  it('is not counted again in a fork', async () => {
    const store = createMemoryStore();
    const session = await createSession(store, { id: 's' });
    await session.append([user('One'), assistant('Two', { model: SONNET, usage: used(100, 20, 1) })]);
    const fork = await forkSession(store, session.info);
    await using branch = await openSession(store, fork.id);
    expect((await readSpending(store, branch.info)).combined.calls).toBe(0);
    await branch.append([assistant('Three', { model: SONNET, usage: used(1, 2, 3) })]);
    expect((await readSpending(store, branch.info)).combined).toMatchObject({ calls: 1, cost: 3 });
  });

  const bodies = fc.oneof(
    fc.constant(user('q')),
    fc
      .record({
        usage: fc.option(anyUsage(), { nil: undefined }),
        model: fc.constantFrom(undefined, SONNET, 'x:y'),
      })
      .map(({ usage, model }) => assistant('a', { ...(usage && { usage }), ...(model && { model }) })),
    fc
      .option(anyUsage(), { nil: undefined })
      .map((usage) => compaction({ covers: { from: 1, to: 1 }, ...(usage && { usage }) })),
    anyUsage().map((usage) => ({ ...restoration('p'), acknowledgement: { parts: [], usage } })),
  );

  it('adds up at every level, whatever happens, never falls, and is what the store adds up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { maxLength: 30 }), async (said) => {
        const store = createMemoryStore();
        const session = await createSession(store, { id: 's' });
        let before = NO_SPENDING;
        for (const body of [user('q'), ...said]) {
          const [entry] = await session.append([body]);
          const after = foldSpending(before, entry!);
          expect(after.combined.tokens).toBeGreaterThanOrEqual(before.combined.tokens);
          expect(after.combined.cost).toBeGreaterThanOrEqual(before.combined.cost);
          before = after;
        }
        const { answers, compactions, session: own, restoration: restored, combined } = before;
        const add = (a: SpendingSum, b: SpendingSum) => [
          a.calls + b.calls,
          a.tokens + b.tokens,
          a.cost + b.cost,
        ];
        const all = ({ calls, tokens, cost }: SpendingSum) => [calls, tokens, cost];
        expect(all(own)).toEqual(add(answers, compactions));
        expect(all(combined)).toEqual(add(own, restored));
        const { inputTokens, outputTokens } = session.info.usage;
        expect(combined.usage).toMatchObject({ inputTokens, outputTokens });
        expect(before).toEqual(await readSpending(store, session.info));
      }),
      { numRuns: 60 },
    );
  });
});

function anyUsage(): fc.Arbitrary<Usage> {
  const count = fc.nat({ max: 100_000 });
  return fc
    .record({
      inputTokens: count,
      outputTokens: count,
      cost: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
    })
    .map(({ cost, ...counts }) => ({ ...counts, ...(cost !== undefined && { cost: cost / 64 }) }));
}
