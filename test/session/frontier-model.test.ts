import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, Mark } from '../../src/record/index.ts';
import { createSession, readFrontier, type Session } from '../../src/session/index.ts';
import { compaction, mark, user } from '../../src/testing/index.ts';
import { countingReads } from './store-doubles.ts';
import { STORES } from './stores.ts';

/** Numbers pick among what is there when the step is taken. */
type Step =
  | { readonly say: number }
  | { readonly compact: number; readonly length: number }
  | { readonly mark: Mark['mark']; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ say: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ compact: fc.nat(99), length: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    mark: fc.constantFrom<Mark['mark']>('expanded', 'expanded', 'collapsed', 'removed'),
    which: fc.nat(99),
  }),
);

/** The seqs that an entry of the frontier stands for. */
function spanOf({ seq, body }: Entry): { from: number; to: number } {
  return body.kind === 'compaction' ? body.covers : { from: seq, to: seq };
}

/** As the planner does it: a run of what stands on the frontier, whatever that is, becomes one. */
async function take(session: Session, step: Step, made: string[]): Promise<void> {
  if ('say' in step) {
    await session.append(Array.from({ length: step.say }, () => user('said')));
  } else if ('compact' in step) {
    const frontier = await readFrontier(session.store, session.info);
    if (frontier.length === 0) return;
    const start = step.compact % frontier.length;
    const run = frontier.slice(start, start + step.length);
    const [entry] = await session.append([
      compaction({
        covers: {
          from: Math.min(...run.map((one) => spanOf(one).from)),
          to: Math.max(...run.map((one) => spanOf(one).to)),
        },
        children: run.filter(({ body }) => body.kind === 'compaction').map(({ id }) => id),
      }),
    ]);
    made.push(entry!.id);
  } else if (made.length > 0) {
    await session.append([mark(step.mark, made[step.which % made.length]!)]);
  }
}

/** Every message is there bare or under a compaction, nothing stands inside another, and all of it in order. */
async function expectSound(session: Session): Promise<void> {
  const frontier = await readFrontier(session.store, session.info);
  const starts = frontier.map((entry) => spanOf(entry).from);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  const bare = frontier.filter(({ body }) => body.kind === 'message').map(({ seq }) => seq);
  const under = frontier.filter(({ body }) => body.kind === 'compaction').map(spanOf);
  const inside = under.filter((one) =>
    under.some((other) => other !== one && other.from <= one.from && one.to <= other.to),
  );
  expect(inside).toEqual([]);
  const covered = (seq: number) => under.some(({ from, to }) => from <= seq && seq <= to);
  const messages = (await session.read({ only: 'messages' })).map(({ seq }) => seq);
  expect(bare).toEqual(messages.filter((seq) => !covered(seq)));
}

describe.each(STORES)('any frontier in a $kind store', ({ open }) => {
  it('has every message once, bare or covered, whatever was compacted, expanded and removed', async () => {
    const steps = fc.array(step, { maxLength: 30, size: 'max' });
    const property = fc.asyncProperty(steps, async (steps) => {
      await using bench = await open();
      await using session = await createSession(bench.store, { id: 's' });
      const made: string[] = [];
      for (const step of steps) {
        await take(session, step, made);
        await expectSound(session);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe.each(STORES)('what reading the frontier of a $kind store costs', ({ open }) => {
  it.each([100, 1000, 4000])('is what it returns, in a session of %i messages', async (length) => {
    await using bench = await open();
    const { store } = bench;
    await store.create(
      { id: 's' },
      Array.from({ length }, () => ({ body: user('said') })),
    );
    const quarter = length / 4;
    const four = Array.from({ length: 4 }, (_, n) => ({ from: n * quarter + 1, to: (n + 1) * quarter }));
    const children = await store.append(
      's',
      four.map((covers) => ({ body: compaction({ covers }) })),
    );
    const top = compaction({
      covers: { from: 1, to: length },
      level: 2,
      children: children.map(({ id }) => id),
    });
    const [node] = await store.append('s', [{ body: top }]);
    await store.append('s', [{ body: user('one more') }, { body: user('and another') }]);

    const { store: counting, counts } = countingReads(store);
    expect(await readFrontier(counting, (await store.session('s'))!)).toHaveLength(3);
    // And one more to look whether the conversation began with an instruction.
    expect(counts.entries).toBe(4);

    await store.append('s', [{ body: mark('expanded', node!.id) }]);
    Object.assign(counts, { calls: 0, entries: 0 });
    expect(await readFrontier(counting, (await store.session('s'))!)).toHaveLength(6);
    expect(counts.entries).toBeLessThanOrEqual(12);
    expect(counts.calls).toBeLessThanOrEqual(16);
  });
});
