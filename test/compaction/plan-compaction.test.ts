import { describe, expect, it } from 'vitest';
import { type Fit, fitLoad } from '../../src/compaction/fit-load.ts';
import { planCompaction } from '../../src/compaction/plan-compaction.ts';
import { planMerge } from '../../src/compaction/plan-merge.ts';
import { checkTrigger, PRESETS } from '../../src/compaction/read-policy.ts';
import type { CompactionSettings, Entry, EntryBody } from '../../src/record/index.ts';
import { assistant, compaction, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';

const NO_MARKS = { pinned: [], excluded: [], removed: [], expanded: [], roots: [] };
/** Messages that a compaction covers; 0 if there is none to make. */
const coveredBy = (log: readonly Entry[], fit: Fit): number => {
  try {
    return planCompaction(log, NO_MARKS, { settings: PRESETS.balanced, fit }).entries.length;
  } catch {
    return 0;
  }
};
const keeping = (messages: number) => ({ ...PRESETS.window, keep: { messages } });
const turns = (count: number): EntryBody[] =>
  Array.from({ length: count }, (_, n) => [user(`q${n}`), assistant(`a${n}`)]).flat();
const talk = (count: number) => logOf(...turns(count));
let calls = 0;
const steps = (output: string): EntryBody[] => [toolCall(`c${++calls}`), toolResult(`c${calls}`, output)];

describe('the plan of a compaction', () => {
  it('covers everything but the kept messages', () => {
    const { covers, entries, kept, level } = planCompaction(talk(10), NO_MARKS, { settings: keeping(10) });
    expect({ covers, level, summarised: entries.length, kept: kept.messages }).toEqual({
      covers: { from: 1, to: 10 },
      level: 1,
      summarised: 10,
      kept: 10,
    });
  });

  it('is refused when fewer than three messages could go', () => {
    expect(() => planCompaction(talk(6), NO_MARKS, { settings: keeping(10) })).toThrow(
      expect.objectContaining({ code: 'nothing-to-compact' }),
    );
  });

  it('needs three old turns under the repo preset', () => {
    expect(() => planCompaction(talk(12), NO_MARKS, { settings: PRESETS.repo })).toThrow(
      expect.objectContaining({ code: 'nothing-to-compact' }),
    );
    expect(planCompaction(talk(13), NO_MARKS, { settings: PRESETS.repo }).covers).toEqual({ from: 1, to: 6 });
  });

  it('goes on behind the newest summary', () => {
    const log = talk(10);
    const summary = { ...logOf(compaction({ covers: { from: 1, to: 8 } }))[0]!, seq: 30 };
    const plan = planCompaction([summary, ...log.slice(8)], NO_MARKS, { settings: keeping(4) });
    expect(plan.covers).toEqual({ from: 9, to: 16 });
    expect(plan.entries.every(({ body }) => body.kind === 'message')).toBe(true);
  });

  it('summarises neither pinned nor excluded entries', () => {
    const log = talk(10);
    const marks = { ...NO_MARKS, pinned: [{ entry: log[1]!.id }], excluded: [{ from: 3, to: 4 }] };
    const plan = planCompaction(log, marks, { settings: keeping(10) });
    expect(plan.entries.map(({ seq }) => seq)).toEqual([1, 5, 6, 7, 8, 9, 10]);
    expect(plan.leftOut.messages).toBe(2);
  });

  it('leaves expanded compactions in sight, and goes on around them', () => {
    const log = talk(10);
    const root = { id: log[9]!.id, seq: 99, level: 1, from: 1, to: 6 };
    const state = { ...NO_MARKS, roots: [root], expanded: [{ entry: root.id }] };
    expect(planCompaction(log, state, { settings: keeping(4) }).covers).toEqual({ from: 7, to: 16 });
    expect(() => planCompaction(log, state, { settings: keeping(4), range: { from: 3, to: 9 } })).toThrow(
      expect.objectContaining({ code: 'nothing-to-compact' }),
    );
  });

  describe('of a session that has to fit', () => {
    const long = 'word '.repeat(3_000);
    const settings = PRESETS.balanced;
    const inRoom = (room: number, given: CompactionSettings = settings) =>
      fitLoad({ tokens: room, room, messages: 0, lines: 0 }, given);

    it('keeps the last whole turn, whatever its size, while it fits with the next question', () => {
      const older = Array.from({ length: 3 }, () => [user('q'), assistant('word '.repeat(800))]).flat();
      const log = logOf(...turns(1), ...older, user('look'), assistant(long), user('and now?'));
      const size = log.slice(8).reduce((sum, { tokens }) => sum + tokens, 0);
      const plan = planCompaction(log, NO_MARKS, { settings, fit: inRoom(size + 500) });
      expect(plan.covers).toEqual({ from: 1, to: 8 });
      const tight = planCompaction(log, NO_MARKS, { settings, fit: inRoom(size - 1) });
      expect(tight.covers).toEqual({ from: 1, to: 10 });
    });

    it('keeps a turn that is over and fits as it is, and cuts one that does not', () => {
      const log = logOf(
        user('look'),
        ...Array.from({ length: 6 }, () => steps(long)).flat(),
        assistant('done'),
      );
      const size = log.reduce((sum, { tokens }) => sum + tokens, 0);
      const plan = (room: number) => planCompaction(log, NO_MARKS, { settings, fit: inRoom(room) });
      expect(() => plan(size + 100)).toThrow(expect.objectContaining({ code: 'nothing-to-compact' }));
      expect(plan(size - 100).covers.from).toBe(2);
    });

    it('keeps as much with a question that waits for its answer as without', () => {
      const log = talk(20);
      for (const keep of [{ messages: 10 }, { turns: 3 }, { tokens: 40 }]) {
        const kept = { ...settings, keep };
        const how = { settings: kept, fit: inRoom(400, kept) };
        const asked = logOf(...turns(20), user('and now?'));
        expect(planCompaction(asked, NO_MARKS, how).covers).toEqual(
          planCompaction(log, NO_MARKS, how).covers,
        );
      }
    });

    it('keeps as much with the result of a call that was left open as without', () => {
      const kept = { ...settings, keep: { messages: 10 } };
      const how = { settings: kept, fit: inRoom(400, kept) };
      const open = [...turns(20), user('look'), toolCall('look')];
      const closed = [...open, toolResult('look', 'not run'), user('and now?')];
      const covers = (bodies: readonly EntryBody[]) => planCompaction(logOf(...bodies), NO_MARKS, how).covers;
      expect(covers(closed)).toEqual(covers(open));
    });

    it('keeps a share of what triggers, where that is less than the tokens that are kept at most', () => {
      const log = talk(200);
      const size = log.reduce((sum, { tokens }) => sum + tokens, 0);
      const { kept } = planCompaction(log, NO_MARKS, { settings, fit: inRoom(size / 0.8) });
      expect(kept.tokens).toBeLessThanOrEqual(size * 0.4);
      expect(kept.tokens).toBeGreaterThan(size * 0.35);
    });

    it.each([40, 120, 200, 300, 500, 900])(
      'covers as many turns of %i words when it is planned ahead as at the trigger',
      (words) => {
        const log = logOf(
          ...Array.from({ length: 100 }, () => [user('q'), assistant('word '.repeat(words))]).flat(),
        );
        const ahead: number[] = [];
        for (let count = 2; ; count += 2) {
          const said = log.slice(0, count);
          const tokens = said.reduce((sum, entry) => sum + entry.tokens, 0);
          const load = { tokens, room: 5_000, messages: 0, lines: 0 };
          const mark = checkTrigger(load, settings);
          if (mark === 'none') continue;
          const covered = coveredBy(said, fitLoad(load, settings));
          if (mark === 'soft' && covered > 0) ahead.push(covered);
          if (mark === 'soft') continue;
          const lost = Math.floor((0.02 * 4_000) / words) * 2;
          expect(covered - (ahead[0] ?? covered)).toBeLessThanOrEqual(lost);
          return;
        }
      },
    );

    it('covers an older summary too where the last turn and a question like its own would not surely fit beside it', () => {
      const [summary] = logOf(compaction({ covers: { from: 1, to: 8 }, summary: 'word '.repeat(150) }));
      const last = [user('word '.repeat(300)), assistant('word '.repeat(2_900))];
      const said = [user('q'), assistant('word '.repeat(1_500)), ...last];
      const log = [{ ...summary!, seq: 30 }, ...logOf(...turns(4), ...said).slice(8)];
      const from = (room: number) =>
        planCompaction(log, NO_MARKS, { settings, fit: inRoom(room) }).covers.from;
      expect(from(3_950)).toBe(9);
      expect(from(3_600)).toBe(1);
    });
  });

  it('never covers the newest user message, also not with nothing to keep', () => {
    const log = logOf(...turns(4), user('newest'));
    expect(planCompaction(log, NO_MARKS, { settings: PRESETS.checkpoint }).covers).toEqual({
      from: 1,
      to: 8,
    });
  });

  it('cuts inside a turn that alone is too long, behind its question', () => {
    const steps = Array.from({ length: 20 }, (_, n) => [
      toolCall('read', { n }, { id: `${n}` }),
      toolResult('read', 'x', { id: `${n}` }),
    ]).flat();
    const plan = planCompaction(logOf(user('do it'), ...steps), NO_MARKS, { settings: keeping(10) });
    expect(plan.covers).toEqual({ from: 2, to: 31 });
  });

  describe('for a range that a person chose', () => {
    const log = talk(10);

    it('grows to whole turns', () => {
      const plan = planCompaction(log, NO_MARKS, { settings: keeping(2), range: { from: 4, to: 7 } });
      expect(plan.covers).toEqual({ from: 3, to: 8 });
    });

    it('takes in whole compactions and becomes their parent', () => {
      const summary = { ...logOf(compaction({ covers: { from: 1, to: 4 } }))[0]!, seq: 30 };
      const plan = planCompaction([summary, ...log.slice(4)], NO_MARKS, {
        settings: keeping(2),
        range: { from: 2, to: 8 },
      });
      expect({ covers: plan.covers, level: plan.level }).toEqual({ covers: { from: 1, to: 8 }, level: 2 });
    });

    it('leaves the newest question alone', () => {
      const plan = planCompaction(log, NO_MARKS, { settings: keeping(2), range: { from: 1, to: 99 } });
      expect(plan.covers).toEqual({ from: 1, to: 18 });
    });
  });
});

describe('tiers', () => {
  const node = (level: number, from: number, to: number): Entry => ({
    ...logOf(compaction({ level, covers: { from, to } }))[0]!,
    seq: 100 + from,
  });

  const rootsOf = (frontier: readonly Entry[]) =>
    frontier.flatMap(({ id, seq, body }) =>
      body.kind === 'compaction' ? [{ id, seq, level: body.level, ...body.covers }] : [],
    );
  const merge = (frontier: readonly Entry[]) =>
    planMerge(frontier, { ...NO_MARKS, roots: rootsOf(frontier) }, 4);

  it('leave the children of an expanded one alone', () => {
    const children = [1, 2, 3, 4].map((n) => node(1, n * 10, n * 10 + 9));
    const parent = { id: 'parent', seq: 99, level: 2, from: 10, to: 49 };
    const state = { ...NO_MARKS, roots: [parent] };
    expect(planMerge(children, { ...state, expanded: [{ entry: 'parent' }] }, 4)).toBeUndefined();
    expect(planMerge(children, { ...state, removed: [{ entry: 'parent' }] }, 4)).toBeDefined();
    expect(planMerge(children, { ...state, excluded: [{ entry: children[2]!.id }] }, 4)).toBeUndefined();
  });

  it('merge the oldest four neighbours of one level', () => {
    const frontier = [1, 2, 3, 4, 5].map((n) => node(1, n * 10, n * 10 + 9));
    const plan = merge([...frontier, ...talk(1)])!;
    expect({ level: plan.level, covers: plan.covers }).toEqual({ level: 2, covers: { from: 10, to: 49 } });
    expect(plan.entries).toEqual(frontier.slice(0, 4));
  });

  it('wait while there are fewer, or something stands between them', () => {
    expect(merge([node(1, 1, 2), node(1, 3, 4), node(1, 5, 6)])).toBeUndefined();
    expect(merge([node(2, 1, 2), node(1, 3, 4), node(1, 5, 6), node(1, 7, 8)])).toBeUndefined();
    expect(merge([node(1, 1, 2), node(1, 3, 4), ...talk(1), node(1, 7, 8), node(1, 9, 9)])).toBeUndefined();
  });
});

describe('the trigger', () => {
  const load = { tokens: 0, room: 100_000, messages: 100, lines: 100 };

  it.each([
    { preset: 'balanced', load: { tokens: 80_001 }, mark: 'hard' },
    { preset: 'balanced', load: { tokens: 60_001 }, mark: 'soft' },
    { preset: 'balanced', load: { tokens: 60_000 }, mark: 'none' },
    { preset: 'army', load: { tokens: 15_001 }, mark: 'hard' },
    { preset: 'army', load: { tokens: 15_000 }, mark: 'soft' },
    { preset: 'repo', load: { lines: 201 }, mark: 'hard' },
    { preset: 'repo', load: { tokens: 1e9, lines: 10 }, mark: 'none' },
    { preset: 'window', load: { tokens: 100_001, messages: 16 }, mark: 'hard' },
    { preset: 'window', load: { tokens: 100_001, messages: 15 }, mark: 'none' },
    { preset: 'checkpoint', load: { tokens: 100_001 }, mark: 'hard' },
  ] as const)('of $preset at $load is $mark', ({ preset, load: given, mark }) => {
    expect(checkTrigger({ ...load, ...given }, PRESETS[preset])).toBe(mark);
  });
});

describe('a refusal counts what could go', () => {
  it.each([
    { messages: 12, keep: 10, could: 2, why: 'two are older than what is kept' },
    { messages: 11, keep: 10, could: 0, why: 'the question of the newest ten stays with its answer' },
    { messages: 13, keep: 10, could: 2, why: 'the third is the question of a kept answer' },
    { messages: 10, keep: 10, could: 0, why: 'all of them are kept' },
    { messages: 2, keep: 0, could: 0, why: 'the last turn is always kept' },
    { messages: 4, keep: 2, could: 2, why: 'one turn is older' },
    { messages: 3, keep: 1, could: 2, why: 'only the newest question stays' },
  ])('$messages messages of which $keep are kept: $could, because $why', ({ messages, keep, could }) => {
    const log = logOf(...turns(7).slice(0, messages));
    expect(() => planCompaction(log, NO_MARKS, { settings: keeping(keep) })).toThrow(
      expect.objectContaining({
        code: 'nothing-to-compact',
        message: expect.stringContaining(
          could === 0
            ? 'Nothing to compact: no message stands before those that are kept, and the last turn always is.'
            : `Nothing to compact: ${could} older messages could go, and fewer than 3`,
        ),
        details: { messages: could, least: 3, keep: { messages: keep } },
      }),
    );
  });

  it('without those that are pinned or excluded', () => {
    const log = talk(6);
    const marks = { ...NO_MARKS, pinned: [{ entry: log[0]!.id }] };
    expect(() => planCompaction(log, marks, { settings: keeping(10) })).toThrow(/: 1 older message could go/);
  });

  it('and names turns where those are too few', () => {
    expect(() => planCompaction(talk(12), NO_MARKS, { settings: PRESETS.repo })).toThrow(
      /: 4 older messages could go, and fewer than 3 turns are left alone/,
    );
  });
});
