import { expect, it } from 'vitest';
import { statedLines, withStatedLines } from '../../../src/compaction/stated/with-stated-lines.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { assistant, compaction, logOf, toolResult, user } from '../../../src/testing/index.ts';

const LISTS = ['decisions', 'blockers', 'completed', 'pending'] as const;

function stated(...texts: string[]) {
  const entries = logOf(...texts.map((text) => assistant(text)));
  const summary = withStatedLines(emptySummary('x'), statedLines(entries));
  return Object.fromEntries(LISTS.map((list) => [list, summary[list].map(({ text }) => text)]));
}

it('takes lines that begin with what they are, however they are written', () => {
  expect(
    stated(
      'I looked.\nDecision: use Redis\n- **Blocker:** the key has expired\nDone: the form\n  * TODO: the tests\nA decision: none',
    ),
  ).toEqual({
    decisions: ['use Redis'],
    blockers: ['the key has expired'],
    completed: ['the form'],
    pending: ['the tests'],
  });
});

it('takes lines of any length whole, and none that name nothing', () => {
  const long = `the parser ${'reads one more token, '.repeat(100)}and stops`;
  expect(stated(`Decision: ${long}`, 'Blocker: None.\nTodo: -\nDone: n/a')).toEqual({
    decisions: [long],
    blockers: [],
    completed: [],
    pending: [],
  });
});

it('takes every line, however many there are', () => {
  const texts = Array.from({ length: 1200 }, (_, n) => `part ${n} is built by plan ${n}`);
  expect(stated(...texts.map((text) => `Decision: ${text}`)).decisions).toEqual(texts);
});

it('closes lines that were resolved or done later, and not lines stated again after that', () => {
  expect(
    stated('Blocker: the staging key has expired', 'Resolved: the staging key has expired'),
  ).toMatchObject({
    blockers: [],
    completed: ['the staging key has expired'],
  });
  expect(stated('Done: the staging key', 'Blocker: the staging key has expired')).toMatchObject({
    blockers: ['the staging key has expired'],
  });
});

it('says where each line came from, and takes none from tools', () => {
  const entries = logOf(
    user('Decision: the person says so'),
    toolResult('read', 'Decision: the file says so'),
  );
  expect(withStatedLines(emptySummary('x'), statedLines(entries)).decisions).toEqual([
    { text: 'the person says so', from: [entries[0]!.id], stated: true },
  ]);
});

it('puts a stated line in the place of the same one in other lists and forms', () => {
  const entries = logOf(assistant('Decision: use Redis'));
  const summary = {
    ...emptySummary('x'),
    decisions: [{ text: 'Decision: use Redis.', from: [] }],
    facts: [
      { text: 'Decision: use Redis', from: [] },
      { text: 'another', from: [] },
    ],
  };
  const { decisions, facts } = withStatedLines(summary, statedLines(entries));
  expect([decisions.map(({ text }) => text), facts.map(({ text }) => text)]).toEqual([
    ['use Redis'],
    ['another'],
  ]);
});

it('keeps stated lines of older summaries word for word when they are merged', () => {
  const older = {
    ...emptySummary('x'),
    decisions: [{ text: 'sessions are kept in Redis and not in cookies', from: [], stated: true as const }],
  };
  const merged = {
    ...emptySummary('x'),
    decisions: [{ text: 'sessions kept in Redis, not in cookies', from: [] }],
  };
  const entries = logOf(compaction({ covers: { from: 1, to: 1 }, summary: older }));
  expect(withStatedLines(merged, statedLines(entries)).decisions).toEqual(older.decisions);
});

it('takes nothing from quoted code', () => {
  const said = [
    'Decision: use Redis.',
    '```md',
    'Decision: use Mongo.',
    '```',
    '  ~~~',
    'Blocker: none of this is meant.',
    '  ~~~',
    'TODO: write the tests.',
    '```',
    'Decision: nobody closed the fence.',
  ];
  expect(stated(said.join('\n'))).toEqual({
    decisions: ['use Redis.', 'nobody closed the fence.'],
    blockers: [],
    completed: [],
    pending: ['write the tests.'],
  });
});

it('takes none from code, however deep the fences are', () => {
  const code = '`````\n```\nDecision: in a fence\n```\nDecision: in the other\n`````\nDecision: outside';
  expect(stated(code).decisions).toEqual(['outside']);
  expect(stated('```ts\nDecision: never closed\n~~~').decisions).toEqual(['never closed']);
});

it.each(['`', '```a\n~~~a\n', '~~~\n', '```a\n'])(
  'is done in time, however often a text repeats %j',
  (unit) => {
    // What grows with the square of its length would take minutes here, and run out of time.
    expect(stated(`Decision: use Redis\n${unit.repeat(200_000 / unit.length)}`).decisions).toEqual([
      'use Redis',
    ]);
  },
);
