import fc from 'fast-check';
import { CheckpointList, deriveEntryId, type SummaryLine } from '../../src/record/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT } from '../../src/summary/index.ts';

/** Lines with sources of their own: the same words come from the same entry. */
export function lines(...texts: readonly string[]): SummaryLine[] {
  return texts.map((text) => ({ text, from: [deriveEntryId('line', text)] }));
}

export function checkpoint(
  lists: Partial<Readonly<Record<CheckpointList, readonly string[]>>> = {},
): Checkpoint {
  const filled = Object.entries(lists).map(([list, texts]) => [list, lines(...texts)]);
  return { ...EMPTY_CHECKPOINT, ...Object.fromEntries(filled) };
}

export function textsOf(state: Checkpoint): Readonly<Record<CheckpointList, string[]>> {
  const lists = CheckpointList.options.map((list) => [list, state[list].map(({ text }) => text)]);
  return Object.fromEntries(lists) as Record<CheckpointList, string[]>;
}

// Few words, so that lines of two branches often are about one thing, say the same, or differ in a word.
const word = fc.constantFrom('redis', 'cache', 'sessions', 'docs', 'tests', 'limit', '100', '200', 'files');
const anyLine = fc
  .tuple(fc.constantFrom('Use', 'Write', 'use', 'Keep'), fc.array(word, { minLength: 1, maxLength: 4 }))
  .map(([verb, words]) => [verb, ...words].join(' '));
const anyList = fc.uniqueArray(anyLine, { maxLength: 4 });

/** Any checkpoint, in which the same line stands only once in a list. */
export const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc
  .record({
    completed: anyList,
    pending: anyList,
    decisions: anyList,
    blockers: anyList,
    facts: anyList,
    paths: fc.uniqueArray(fc.constantFrom('a.ts', 'b.ts', 'c.ts'), { maxLength: 2 }),
  })
  .map(({ paths, ...lists }) => ({
    ...checkpoint(lists),
    files: paths.map((path) => ({ path, operations: ['edited'], from: [deriveEntryId('file', path)] })),
  }));

/** A checkpoint and what somebody made of it: some lines stay, some go, some come. */
export function anyLater(base: Checkpoint): fc.Arbitrary<Checkpoint> {
  return fc
    .tuple(anyCheckpoint, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([more, keep]) => {
      let index = 0;
      const lists = CheckpointList.options.map((list) => {
        const kept = base[list].filter(() => keep[index++ % keep.length]);
        const fresh = more[list].filter(({ text }) => !kept.some((line) => line.text === text));
        return [list, [...kept, ...fresh]];
      });
      const added = more.files.filter(({ path }) => !base.files.some((file) => file.path === path));
      return { ...base, ...Object.fromEntries(lists), files: [...base.files, ...added] };
    });
}
