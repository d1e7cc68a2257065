import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCheckpoint } from '../../src/compaction/index.ts';
import { type Compaction, type EntryBody, emptySummary } from '../../src/record/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, compaction, mark, merge, user } from '../../src/testing/index.ts';
import { createSessionReader } from '../../src/work/request/read-session.ts';

/** Words that are the same line, nearly the same line, or another one. */
const line = fc
  .tuple(
    fc.constantFrom('use', 'keep', 'build', 'drop'),
    fc.constantFrom('Redis', 'cookies', 'the form'),
    fc.nat(2),
  )
  .map(([verb, what, n]) => ({ text: `${verb} ${what} for part ${n}`, from: [] }));
const lines = fc.array(line, { maxLength: 3 });

/** Log steps; numbers say where in the log, from its end, a compaction begins and how long it is. */
const step: fc.Arbitrary<(head: number, roots: readonly { id: string }[]) => EntryBody> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.boolean(), fc.string()).map(
      ([asked, text]) =>
        () =>
          asked ? user(text) : assistant(text),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.nat(6),
        fc.nat(4),
        fc.integer({ min: 1, max: 3 }),
        fc.tuple(lines, lines, lines, lines, lines),
        fc.nat(900),
      )
      .map(
        ([back, length, level, [decisions, blockers, completed, pending, facts], saved]) =>
          (head: number) => {
            const from = Math.max(1, head - back);
            const summary = { ...emptySummary('x'), decisions, blockers, completed, pending, facts };
            const covers = { from, to: Math.min(head, from + length) };
            return compaction({ covers, level, summary, tokensBefore: 1000, tokensAfter: saved });
          },
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(99), fc.constantFrom('a', 'b')).map(
      ([iteration, error]) =>
        (): EntryBody => ({ kind: 'loop', iteration, passed: [], failed: [error], lastError: error }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('pinned' as const, 'excluded' as const, 'expanded' as const, 'removed' as const),
        fc.nat(5),
      )
      .map(
        ([what, back]) =>
          (head: number) =>
            mark(what, { from: Math.max(1, head - back), to: Math.max(1, head - back) }),
      ),
  },
  fc.tuple(lines).map(
    ([decisions]) =>
      () =>
        merge({ branch: 'b', summary: { ...emptySummary('x'), decisions } }),
  ),
  fc.tuple(fc.nat(2), fc.constantFrom('pending' as const, 'completed' as const)).map(
    ([n, status]) =>
      (): EntryBody => ({ kind: 'todo', id: `${n}`, text: `build the form for part ${n}`, status }),
  ),
);

it('reading a session on comes to the same as reading it at once, whatever is in it and wherever one stops', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.boolean()), { minLength: 2, maxLength: 25 }),
      async (steps) => {
        await using store = createMemoryStore();
        await store.create({ id: 's' }, [{ body: user('Begin.') }, { body: assistant('I begin.') }]);
        const warm = createSessionReader(store);
        for (const [make, looks] of steps) {
          const { head, state } = (await store.session('s'))!;
          await store.append('s', [{ body: make(head, state.roots) }]);
          if (!looks) continue;
          const view = await warm.read('s');
          expect(view).toEqual(await createSessionReader(store).read('s'));
          const { facts: _, ...lists } = view.fold.checkpoint;
          expect(await readCheckpoint(store, view.info)).toMatchObject(lists);
          const notes = await store.read('s', { only: 'notes' });
          const made = notes.flatMap(({ body }) => (body.kind === 'compaction' ? [body as Compaction] : []));
          expect(view.fold.accounting).toMatchObject({
            lastCompactionInput: made.findLast(({ level }) => level === 1)?.tokensBefore ?? 0,
            totalSaved: made.reduce(
              (sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter,
              0,
            ),
          });
        }
      },
    ),
    { numRuns: 150 },
  );
});

it.each([40, 500])(
  'a message of %i thousand characters is the same however it was read',
  async (thousands) => {
    await using store = createMemoryStore();
    await store.create({ id: 's' }, [{ body: user('Begin.') }]);
    const warm = createSessionReader(store);
    await warm.read('s');
    await store.append('s', [
      { body: assistant('many words '.repeat(thousands * 90)) },
      { body: user('And now?') },
    ]);
    const view = await warm.read('s');
    expect(view).toEqual(await createSessionReader(store).read('s'));
    expect(view.messages).toHaveLength(3);
  },
);
