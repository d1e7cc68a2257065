import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../src/branches/compare-checkpoints.ts';
import { mergeCheckpoints } from '../../src/branches/merge-checkpoints.ts';
import { CheckpointList, MergeRule, type SummaryLine } from '../../src/record/index.ts';
import { type Checkpoint, sayTheSame } from '../../src/summary/index.ts';
import { anyCheckpoint, anyLater, checkpoint, textsOf } from './checkpoints.ts';

describe('merging', () => {
  const base = checkpoint({
    decisions: ['Use Redis for sessions'],
    pending: ['Write the docs for the page cache'],
  });

  it('keeps ours where both changed a line, until a decision', () => {
    const ours = checkpoint({ decisions: ['Use Redis for sessions'] });
    const theirs = checkpoint({
      decisions: ['Use Redis for sessions'],
      pending: ['Write the docs for the whole page cache'],
    });
    const merged = mergeCheckpoints({ base, ours, theirs });
    expect(merged.conflicts).toMatchObject([
      { about: 'removal', base: { text: 'Write the docs for the page cache' } },
    ]);
    expect(textsOf(merged.checkpoint).pending).toEqual([]);
    const by = (rule: MergeRule) =>
      textsOf(mergeCheckpoints({ base, ours, theirs }, rule).checkpoint).pending;
    expect([by('ours'), by('theirs'), by('both')]).toEqual([
      [],
      ['Write the docs for the whole page cache'],
      ['Write the docs for the whole page cache'],
    ]);
  });

  it('puts theirs in the place of ours, or beside it', () => {
    const ours = checkpoint({ decisions: ['Use Redis for sessions', 'Cache pages in memory'] });
    const theirs = checkpoint({ decisions: ['Use Redis for sessions', 'Cache pages on disk'] });
    const by = (rule: MergeRule) =>
      textsOf(
        mergeCheckpoints({ base: checkpoint({ decisions: ['Use Redis for sessions'] }), ours, theirs }, rule)
          .checkpoint,
      ).decisions;
    expect(by('ours')).toEqual(['Use Redis for sessions', 'Cache pages in memory']);
    expect(by('theirs')).toEqual(['Use Redis for sessions', 'Cache pages on disk']);
    expect(by('both')).toEqual(['Use Redis for sessions', 'Cache pages in memory', 'Cache pages on disk']);
  });

  it('unites changes of files, which never conflict', () => {
    const file = (path: string, ...operations: string[]) => ({ path, operations });
    const ours = { ...base, files: [file('a.ts', 'edited')] };
    const theirs = { ...base, files: [file('a.ts', 'edited', 'deleted'), file('b.ts', 'written')] };
    const { checkpoint: merged, patch } = mergeCheckpoints({ base, ours, theirs });
    expect(patch.files).toEqual([file('a.ts', 'deleted'), file('b.ts', 'written')]);
    expect(merged.files.map(({ path, operations }) => [path, operations])).toEqual([
      ['a.ts', ['edited', 'deleted']],
      ['b.ts', ['written']],
    ]);
  });
});

const anyThree = anyCheckpoint.chain((base) =>
  fc.record({ base: fc.constant(base), ours: anyLater(base), theirs: anyLater(base) }),
);
const anyRule = fc.constantFrom<MergeRule | undefined>(undefined, 'ours', 'theirs', 'both');
const RUNS = { numRuns: 300 };

const has = (lines: readonly SummaryLine[], text: string) =>
  lines.some((line) => sayTheSame(line.text, text));
/** The lists as sets of words, give or take case and the end of a line. */
const sorted = (state: Checkpoint) =>
  CheckpointList.options.map((list) =>
    [...new Set(state[list].map(({ text }) => text.toLowerCase()))].sort().join('|'),
  );

describe('for any three checkpoints, a merge', () => {
  it('of a branch that changed nothing changes nothing', () => {
    fc.assert(
      fc.property(anyThree, anyRule, ({ base, ours }, rule) => {
        const merged = mergeCheckpoints({ base, ours, theirs: base }, rule);
        expect(merged.checkpoint).toEqual(ours);
        expect(merged.conflicts).toEqual([]);
      }),
      RUNS,
    );
  });

  it('into a session that changed nothing gives what the branch says', () => {
    fc.assert(
      fc.property(anyThree, ({ base, theirs }) => {
        const { checkpoint: merged, conflicts } = mergeCheckpoints({ base, ours: base, theirs });
        expect(conflicts).toEqual([]);
        expect(sorted(merged)).toEqual(sorted(theirs));
      }),
      RUNS,
    );
  });

  it('of two that made the same changes changes nothing', () => {
    fc.assert(
      fc.property(anyThree, ({ base, theirs }) => {
        const { checkpoint: merged, conflicts } = mergeCheckpoints({ base, ours: theirs, theirs });
        expect([merged, conflicts]).toEqual([theirs, []]);
      }),
      RUNS,
    );
  });

  it('by the rule "ours" keeps every line of ours that theirs did not change alone', () => {
    fc.assert(
      fc.property(anyThree, ({ base, ours, theirs }) => {
        const { checkpoint: merged, comparison, open } = mergeCheckpoints({ base, ours, theirs }, 'ours');
        const changed = comparison.clean.filter(({ change }) => change !== 'added');
        for (const list of CheckpointList.options) {
          for (const { text } of ours[list]) {
            const gone = changed.some(
              (each) => each.list === list && sayTheSame((each.was ?? each.line).text, text),
            );
            if (!gone) expect(merged[list].map((line) => line.text)).toContain(text);
          }
        }
        expect(open).toEqual([]);
      }),
      RUNS,
    );
  });

  it('by the rule "theirs" holds every line that theirs changed, and none that theirs took away', () => {
    fc.assert(
      fc.property(anyThree, ({ base, ours, theirs }) => {
        const { checkpoint: merged, comparison } = mergeCheckpoints({ base, ours, theirs }, 'theirs');
        for (const { list, change, line } of comparison.theirs) {
          if (change === 'removed') {
            const again =
              has(theirs[list], line.text) ||
              comparison.ours.some(
                (own) => own.list === list && own.line.text === line.text && own.change !== 'removed',
              );
            if (!again) expect(merged[list].map(({ text }) => text)).not.toContain(line.text);
          } else expect(has(merged[list], line.text)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('by any rule loses no line silently: it is in the result or in the report', () => {
    fc.assert(
      fc.property(anyThree, anyRule, ({ base, ours, theirs }, rule) => {
        const {
          checkpoint: merged,
          patch,
          left,
          open,
          comparison,
        } = mergeCheckpoints({ base, ours, theirs }, rule);
        for (const list of CheckpointList.options) {
          for (const { text } of ours[list]) {
            const dropped = patch.dropped.some((line) => line.list === list && line.text === text);
            expect(has(merged[list], text) || dropped).toBe(true);
          }
          for (const { text } of theirs[list]) {
            const reported =
              left.some((line) => line.list === list && line.text === text) ||
              open.some((conflict) => conflict.theirs.line?.text === text) ||
              // Ours took away or reworded what theirs left alone.
              comparison.ours.some(
                (own) => own.list === list && sayTheSame((own.was ?? own.line).text, text),
              );
            expect(has(merged[list], text) || reported).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('done again brings nothing, and a later one only new lines', () => {
    fc.assert(
      fc.property(anyThree, anyRule, anyCheckpoint, ({ base, ours, theirs }, rule, more) => {
        const { checkpoint: merged } = mergeCheckpoints({ base, ours, theirs }, rule ?? 'ours');
        const again = compareCheckpoints({ base: theirs, ours: merged, theirs });
        expect([again.clean, again.conflicts, again.files.theirs]).toEqual([[], [], []]);
        const later = { ...theirs, decisions: [...theirs.decisions, ...more.decisions] };
        const next = compareCheckpoints({ base: theirs, ours: merged, theirs: later });
        const texts = [
          ...next.clean.map(({ line }) => line.text),
          ...next.conflicts.map(({ theirs: side }) => side.line?.text),
        ];
        expect(texts.filter((text) => !more.decisions.some((line) => line.text === text))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('settles every conflict by every rule that can, and says who decided', () => {
    fc.assert(
      fc.property(anyThree, fc.constantFrom(...MergeRule.options), ({ base, ours, theirs }, rule) => {
        const { comparison, settled, open } = mergeCheckpoints({ base, ours, theirs }, rule);
        expect(settled.length + open.length).toBe(comparison.conflicts.length);
        // Ids that were derived tell no time, so "newest" cannot say.
        expect(open.length).toBe(rule === 'newest' ? comparison.conflicts.length : 0);
        expect(settled.every(({ by, kept }) => by === rule && kept === rule)).toBe(true);
      }),
      RUNS,
    );
  });
});
