import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySummary, newEntryId, type Summary } from '../../src/record/index.ts';
import { EMPTY_CHECKPOINT, foldCheckpoint, foldSteps, type MergeStep } from '../../src/summary/index.ts';

const [OLD, MERGE, NEW] = [newEntryId(), newEntryId(), newEntryId()] as const;
const line = (text: string, ...from: string[]) => ({ text, from });
const summary = (lists: Partial<Summary>): Summary => ({ ...emptySummary(), ...lists });
const decisions = (...lines: Summary['decisions']) => summary({ decisions: lines });
const dropping = (text: string, ...from: string[]): MergeStep => ({
  id: MERGE,
  merge: { summary: emptySummary(), dropped: [{ list: 'decisions', text, from }] },
});
const textsOf = (steps: Parameters<typeof foldSteps>[0]) =>
  foldSteps(steps).decisions.map(({ text }) => text);

describe('a merge in a checkpoint', () => {
  const known = decisions(line('Use Redis for sessions', OLD), line('Log to stdout', OLD));

  it('brings its lines, with the merge itself as their last source', () => {
    const step = { id: MERGE, merge: { summary: decisions(line('Limit of 100', OLD)), dropped: [] } };
    expect(foldSteps([known, step]).decisions.at(-1)).toEqual(line('Limit of 100', OLD, MERGE));
  });

  it('drops a line by its words, or in whatever words it stands there', () => {
    expect(textsOf([known, dropping('Use Redis for sessions', OLD)])).toEqual(['Log to stdout']);
    expect(textsOf([known, dropping('use Redis for the sessions', OLD)])).toEqual(['Log to stdout']);
  });

  it('keeps two wordings apart that were both wanted', () => {
    const both = {
      id: MERGE,
      merge: { summary: decisions(line('Use Redis for all sessions', NEW)), dropped: [] },
    };
    expect(textsOf([decisions(line('Use Redis for user sessions', OLD)), both])).toEqual([
      'Use Redis for user sessions',
      'Use Redis for all sessions',
    ]);
  });

  it.each([
    { from: [OLD], back: false, why: 'a later summary of the same entries repeats it' },
    { from: [], back: false, why: 'nobody knows where it came from' },
    { from: [NEW], back: true, why: 'somebody said it again' },
    { from: [OLD, NEW], back: true, why: 'somebody said it again' },
  ])('that dropped a line: it is back is $back when $why', ({ from, back }) => {
    const again = decisions(line('Use Redis for sessions', ...from));
    expect(
      textsOf([known, dropping('Use Redis for sessions', OLD), again]).includes('Use Redis for sessions'),
    ).toBe(back);
  });

  it('brings a line back that an earlier merge dropped', () => {
    const back = { id: NEW, merge: { summary: decisions(line('Use Redis for sessions', OLD)), dropped: [] } };
    const steps = [known, dropping('Use Redis for sessions', OLD), back];
    expect(textsOf([...steps, decisions(line('Use Redis for sessions', OLD))])).toContain(
      'Use Redis for sessions',
    );
  });

  it('changes nothing for summaries alone', () => {
    const anyLine = fc
      .array(fc.constantFrom('use', 'redis', 'docs', '42'), { minLength: 1, maxLength: 3 })
      .map((words) => line(words.join(' '), OLD));
    const anySummary = fc
      .array(anyLine, { maxLength: 3 })
      .chain((lines) =>
        fc.constantFrom(decisions(...lines), summary({ pending: lines }), summary({ completed: lines })),
      );
    fc.assert(
      fc.property(fc.array(anySummary, { maxLength: 6 }), (summaries) => {
        expect(foldSteps(summaries)).toEqual(foldCheckpoint(summaries));
        expect(foldSteps([])).toEqual(EMPTY_CHECKPOINT);
      }),
    );
  });
});
