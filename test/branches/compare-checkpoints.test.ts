import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../src/branches/compare-checkpoints.ts';
import { checkpoint } from './checkpoints.ts';

/** What is in dispute, in a line: the kind, then each side's list and words. */
function disputes(three: Parameters<typeof compareCheckpoints>[0]): string[] {
  return compareCheckpoints(three).conflicts.map(({ about, ours, theirs }) => {
    const [own, other] = [ours, theirs].map(({ list, line }) => `${list} ${line?.text ?? '(gone)'}`);
    return `${about}: ${own} / ${other}`;
  });
}

describe('two branches of one checkpoint', () => {
  const base = checkpoint({
    decisions: ['Use Redis for sessions'],
    pending: ['Write the docs for the page cache'],
    blockers: ['CI is red'],
  });

  it('do not disagree when they changed different things', () => {
    const ours = { ...base, facts: checkpoint({ facts: ['Port 8080'] }).facts };
    const theirs = checkpoint({
      decisions: ['Use Redis for sessions', 'Rate limit of 100 per minute'],
      completed: ['Wrote docs for the page cache'],
      blockers: ['CI is red'],
    });
    const { clean, conflicts } = compareCheckpoints({ base, ours, theirs });
    expect(conflicts).toEqual([]);
    expect(clean.map(({ list, change, line }) => `${change} ${list}: ${line.text}`)).toEqual([
      'added completed: Wrote docs for the page cache',
      'removed pending: Write the docs for the page cache',
      'added decisions: Rate limit of 100 per minute',
    ]);
  });

  it.each([
    {
      ours: { decisions: ['Use Redis for user sessions'] },
      theirs: { decisions: ['Use Redis for all sessions'] },
      disputed: ['wording: decisions Use Redis for user sessions / decisions Use Redis for all sessions'],
      why: 'both put a line of the base in other words',
    },
    {
      ours: { decisions: [] },
      theirs: { decisions: ['Use Redis for all sessions'] },
      disputed: ['removal: decisions (gone) / decisions Use Redis for all sessions'],
      why: 'what ours took away theirs reworded',
    },
    {
      ours: { decisions: ['Use Redis for all sessions'] },
      theirs: { decisions: [] },
      disputed: ['removal: decisions Use Redis for all sessions / decisions (gone)'],
      why: 'what ours reworded theirs took away',
    },
    {
      ours: { decisions: ['Use Redis for sessions', 'Cache pages in memory'] },
      theirs: { decisions: ['Use Redis for sessions', 'Cache pages on disk'] },
      disputed: ['choice: decisions Cache pages in memory / decisions Cache pages on disk'],
      why: 'both decided one thing, differently',
    },
    {
      ours: { decisions: ['Use Redis for sessions'], facts: ['The limit is 50 MB'] },
      theirs: { decisions: ['Use Redis for sessions'], facts: ['The limit is 200 MB'] },
      disputed: ['choice: facts The limit is 50 MB / facts The limit is 200 MB'],
      why: 'both found the same thing out, differently',
    },
    {
      ours: { completed: ['Implemented the eviction test'] },
      theirs: { pending: ['Write the docs for the page cache', 'Implement the eviction test'] },
      disputed: ['done: completed Implemented the eviction test / pending Implement the eviction test'],
      why: 'what is open there is done here',
    },
    {
      ours: { pending: ['Write the docs for the page cache', 'Implement the eviction test'] },
      theirs: {
        pending: ['Write the docs for the page cache'],
        completed: ['Implemented the eviction test'],
      },
      disputed: ['done: pending Implement the eviction test / completed Implemented the eviction test'],
      why: 'what is open here is done there',
    },
    {
      ours: { decisions: ['Use Redis for sessions', 'Log to stdout only'] },
      theirs: { decisions: ['Use Redis for sessions', 'log to stdout only.'] },
      disputed: [],
      why: 'the same but for its case is the same',
    },
    {
      ours: { decisions: ['Use Redis for sessions', 'ページは Redis に置く'] },
      theirs: { decisions: ['Use Redis for sessions', 'ページは Postgres に置く'] },
      disputed: ['choice: decisions ページは Redis に置く / decisions ページは Postgres に置く'],
      why: 'a script without spaces is no less in dispute',
    },
    {
      ours: { pending: [] },
      theirs: { pending: [] },
      disputed: [],
      why: 'both took the same line away',
    },
    {
      ours: { pending: ['Write docs for auth'] },
      theirs: { pending: ['Write docs for billing'] },
      disputed: [],
      why: 'two tasks of one kind are two tasks',
    },
  ])('$disputed, because $why', ({ ours, theirs, disputed }) => {
    const plain = {
      decisions: ['Use Redis for sessions'],
      pending: ['Write the docs for the page cache'],
      blockers: ['CI is red'],
    };
    const three = {
      base,
      ours: checkpoint({ ...plain, ...ours }),
      theirs: checkpoint({ ...plain, ...theirs }),
    };
    expect(disputes(three)).toEqual(disputed);
  });

  it('say what finished a line that the other one still works on', () => {
    const ours = checkpoint({
      decisions: ['Use Redis for sessions'],
      completed: ['Wrote docs for the page cache'],
    });
    const theirs = checkpoint({
      decisions: ['Use Redis for sessions'],
      pending: ['Write the docs for the whole page cache'],
    });
    const { conflicts } = compareCheckpoints({ base, ours, theirs });
    expect(conflicts).toMatchObject([
      {
        about: 'removal',
        ours: { closedBy: { text: 'Wrote docs for the page cache' } },
        theirs: { line: { text: 'Write the docs for the whole page cache' } },
      },
    ]);
  });
});
