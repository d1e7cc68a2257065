import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, Target } from '../../src/record/index.ts';
import {
  createSession,
  excludeEntries,
  includeEntries,
  pinEntries,
  unpinEntries,
} from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { STORES } from './stores.ts';

const PAIRS = [
  { list: 'pinned', on: pinEntries, off: unpinEntries },
  { list: 'excluded', on: excludeEntries, off: includeEntries },
] as const;

const holds = (targets: readonly Target[], { id, seq }: Entry) =>
  targets.some((target) =>
    'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
  );

describe.each(STORES)('a mark on a range in a $kind store', ({ open }) => {
  it.each(PAIRS)('is taken off a part of it, by number or by id: $list', async ({ list, on, off }) => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const entries = await session.append(Array.from({ length: 8 }, (_, n) => user(`${n + 1}`)));
    await on(session, { from: 2, to: 7 });
    await off(session, { entry: entries[2]!.id });
    await off(session, { from: 5, to: 6 });
    const left = () =>
      entries.filter((entry) => holds(session.info.state[list], entry)).map(({ seq }) => seq);
    expect(left()).toEqual([2, 4, 7]);
    await on(session, { entry: entries[5]!.id });
    expect(left()).toEqual([2, 4, 6, 7]);
    await off(session, { from: 1, to: 6 });
    expect(left()).toEqual([7]);
    expect(session.info).toEqual(await bench.store.session('s'));
  });
});

describe('any marks', () => {
  it.each(PAIRS)('the newest one on an entry decides: $list', async ({ list, on, off }) => {
    const seqs = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }));
    const step = fc.record({ set: fc.boolean(), seqs, byId: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const session = await createSession(createMemoryStore(), { id: 's' });
        const entries = await session.append(Array.from({ length: 10 }, (_, n) => user(`${n + 1}`)));
        const wanted = new Set<number>();
        for (const { set, seqs: ends, byId } of steps) {
          const from = Math.min(...ends);
          const to = byId ? from : Math.max(...ends);
          await (set ? on : off)(session, byId ? { entry: entries[from - 1]!.id } : { from, to });
          for (let seq = from; seq <= to; seq++) set ? wanted.add(seq) : wanted.delete(seq);
        }
        const marked = entries.filter((entry) => holds(session.info.state[list], entry));
        expect(marked.map(({ seq }) => seq)).toEqual([...wanted].sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });
});
