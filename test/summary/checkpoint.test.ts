import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySummary, type Summary } from '../../src/record/index.ts';
import {
  type Checkpoint,
  diffCheckpoints,
  EMPTY_CHECKPOINT,
  finishesTask,
  foldCheckpoint,
  sameLine,
} from '../../src/summary/index.ts';

const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const lines = (...texts: string[]) => texts.map((text, n) => ({ text, from: [id(n)] }));
const summary = (lists: Partial<Summary>): Summary => ({ ...emptySummary(), ...lists });
const texts = (list: readonly { text: string }[]) => list.map(({ text }) => text);

describe('the checkpoint', () => {
  it('closes a pending line when a later summary says it is done', () => {
    const { pending, completed } = foldCheckpoint([
      summary({ pending: lines('Write integration tests for auth', 'Update the changelog') }),
      summary({ completed: lines('Integration tests for auth written') }),
    ]);
    expect(texts(pending)).toEqual(['Update the changelog']);
    expect(texts(completed)).toEqual(['Integration tests for auth written']);
  });

  it('takes a task up again when a later summary calls it pending', () => {
    const { pending, completed } = foldCheckpoint([
      summary({ completed: lines('Migrate the database') }),
      summary({ pending: lines('Migrate the database') }),
    ]);
    expect(texts(pending)).toEqual(['Migrate the database']);
    expect(completed).toEqual([]);
  });

  it('lets the later wording win and keeps the sources of both', () => {
    const { decisions } = foldCheckpoint([
      summary({ decisions: [{ text: 'Use Redis for the sessions', from: [id(1)] }] }),
      summary({ decisions: [{ text: 'use Redis for the sessions.', from: [id(2)] }] }),
    ]);
    expect(decisions).toEqual([{ text: 'use Redis for the sessions.', from: [id(1), id(2)] }]);
  });

  it('loses no decision, however many summaries are folded', () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      summary({ decisions: lines(`Decision ${n}: choose option-${n * 7}`) }),
    );
    expect(foldCheckpoint(many).decisions).toHaveLength(300);
  });

  it('is the same whether folded at once or step by step', () => {
    const word = fc.constantFrom('auth', 'tests', 'redis', 'deploy', 'docs', 'cache');
    const list = fc
      .array(
        fc.array(word, { minLength: 2, maxLength: 4 }).map((w) => w.join(' ')),
        { maxLength: 3 },
      )
      .map((t) => lines(...t));
    const any = fc.record({ completed: list, pending: list, decisions: list }).map(summary);
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), fc.nat(6), (all, cut) => {
        const stepwise = foldCheckpoint(all.slice(cut), foldCheckpoint(all.slice(0, cut)));
        expect(stepwise).toEqual(foldCheckpoint(all));
      }),
    );
  });

  it.each([
    ['Use JWT tokens', 'use jwt tokens.', true],
    ['Use JWT tokens', 'Use session cookies', false],
    ['认证使用令牌', '认证使用令牌。', true],
  ])('%s and %s: the same line is %s', (a, b, same) => {
    expect(sameLine(a, b)).toBe(same);
  });

  it('does not close a task that only shares a word', () => {
    expect(finishesTask('Fixed the login page', 'Fix the logout button styling')).toBe(false);
  });
});

describe('two checkpoints', () => {
  const base: Checkpoint = {
    ...EMPTY_CHECKPOINT,
    decisions: lines('Use Redis for sessions'),
    pending: lines('Write the docs'),
  };

  it('differ by added, removed and reworded lines', () => {
    const after = {
      ...base,
      decisions: lines('Use Redis for the sessions'),
      pending: [],
      blockers: lines('CI is red'),
    };
    expect(diffCheckpoints(base, after)).toEqual([
      { list: 'pending', change: 'removed', text: 'Write the docs' },
      {
        list: 'decisions',
        change: 'reworded',
        text: 'Use Redis for the sessions',
        was: 'Use Redis for sessions',
      },
      { list: 'blockers', change: 'added', text: 'CI is red' },
    ]);
  });
});
