import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { extractLedger } from '../../../src/text/ledger/extract-ledger.ts';

const inText = (kind: string, body: EntryBody) =>
  extractLedger(logOf(body))
    .ledger.filter((item) => item.kind === kind)
    .map(({ text }) => text);

describe('decisions', () => {
  it.each([
    'We decided to keep SQLite as the default.',
    "Let's use zod for the schemas.",
    "I'll go with the second option because it needs no lock.",
    'After some tests we settled on a 30 second timeout.',
    'Use fetch instead of axios.',
    'The team agreed on weekly releases.',
    'Decision: one table per kind.',
    'Wir haben uns für Postgres entschieden.',
    '検索には FTS5 を採用します。',
  ])('"%s" is one', (sentence) => {
    expect(inText('decision', assistant(`Some words before. ${sentence}`))).toEqual([sentence]);
  });

  it.each([
    'I am using the parser to read the file.',
    'Should we use zod instead of ajv?',
    'We could use a queue instead of polling.',
    'If we decided to use Redis, the cost would rise.',
    'The function uses a map and added a cache.',
    'This has not been decided yet.',
    'I created the file and added three tests.',
    'The loop returns early when the list is empty.',
  ])('"%s" is none', (sentence) => {
    expect(inText('decision', assistant(sentence))).toEqual([]);
  });

  it('takes standing instructions from the person, not from the agent', () => {
    expect(inText('decision', user('Never touch the vendor folder.'))).toEqual([
      'Never touch the vendor folder.',
    ]);
    expect(inText('decision', assistant('Never touch the vendor folder.'))).toEqual([]);
    expect(inText('decision', user("Don't worry about that."))).toEqual([]);
  });
});

describe('errors', () => {
  const output = (text: string, failed = false, tool = 'bash') => {
    const entries = logOf(
      toolCall(tool, tool === 'bash' ? { command: 'x' } : { path: 'x' }, { id: 'c' }),
      toolResult(tool, text, { id: 'c', failed }),
    );
    return extractLedger(entries)
      .ledger.filter(({ kind }) => kind === 'error')
      .map(({ text: error }) => error);
  };

  it.each([
    [
      'src/a.ts(3,5): error TS2304: Cannot find name "x".',
      'src/a.ts(3,5): error TS2304: Cannot find name "x".',
    ],
    [
      'TypeError: x is not a function\n    at run (src/run.ts:10:5)',
      'TypeError: x is not a function (src/run.ts:10:5)',
    ],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: bad input',
      'ValueError: bad input',
    ],
    ['fatal: not a git repository', 'fatal: not a git repository'],
    ['bash: line 1: rg: command not found', 'bash: line 1: rg: command not found'],
    [' FAIL  test/a.test.ts > adds numbers', 'FAIL test/a.test.ts > adds numbers'],
    ['--- FAIL: TestParse (0.00s)', '--- FAIL: TestParse (0.00s)'],
    ['FAILED tests/test_a.py::test_b - assert 1 == 2', 'FAILED tests/test_a.py::test_b - assert 1 == 2'],
    ['test parse::empty ... FAILED', 'test parse::empty ... FAILED'],
    ['not ok 3 - rejects a bad date', 'not ok 3 - rejects a bad date'],
    ['error[E0308]: mismatched types', 'error[E0308]: mismatched types'],
  ])('finds %j', (text, error) => {
    expect(output(`some output\n${text}\nmore output`)).toContain(error);
  });

  it('takes the first telling line of a failed tool when none looks like an error', () => {
    expect(output('Exit code 1\nnothing to commit, working tree clean', true)).toEqual([
      'nothing to commit, working tree clean',
    ]);
  });

  it('leaves alone what a file that was read says about errors', () => {
    expect(output('error: this is a line of a log that was read', false, 'read')).toEqual([]);
  });

  it('takes from a copy of a file only what the program itself complained about', () => {
    const run = (command: string, text: string, failed: boolean) =>
      extractLedger(
        logOf(toolCall('bash', { command }, { id: 'c' }), toolResult('bash', text, { id: 'c', failed })),
      ).ledger.filter(({ kind }) => kind === 'error');
    expect(run('cat src/fail.ts', 'error: the word in a file', false)).toEqual([]);
    const told = run('cat src/fail.ts gone.ts', 'TypeError: in a file\ncat: gone.ts: No such file', true);
    expect(told.map(({ text }) => text)).toEqual(['cat: gone.ts: No such file']);
  });

  it('says nothing about output without errors', () => {
    expect(output('12 tests passed\n0 errors')).toEqual([]);
  });
});

describe('figures', () => {
  it.each([
    ['The timeout is 30 s now.', 'timeout 30 s'],
    ['It listens on port 5433 here.', 'port 5433'],
    ['We have 12 tests.', '12 tests'],
    ['Coverage rose to 87 %.', '87 %'],
    ['It costs $120.', '$120'],
    ['Set retries = 5 for it.', 'retries 5'],
    ['Due on 2025-03-01.', '2025-03-01'],
    ['We meet on May 7, 2023 again.', 'May 7, 2023'],
    ['全部で38件成功しました', '38件'],
  ])('%j has "%s"', (text, figure) => {
    expect(inText('figure', user(text))).toContain(figure);
  });

  it.each(['Step 2 is next.', '1. first\n2. second', 'see a.ts:12 and b.ts:14', 'sha1-5f'])(
    '%j has none',
    (text) => {
      expect(inText('figure', user(text))).toEqual([]);
    },
  );
});

describe('identifiers and URLs', () => {
  it.each([
    ['fixed in 9fceb02d now', '9fceb02d'],
    ['see #123 for it', '#123'],
    ['see acme/tool#45', 'acme/tool#45'],
    ['PR 17 is open', 'PR 17'],
    ['ticket ABC-123 says', 'ABC-123'],
    ['needs zod@4.6.7 at least', 'zod@4.6.7'],
    ['since v2.1.0 it works', 'v2.1.0'],
    ['set OPENAI_API_KEY first', 'OPENAI_API_KEY'],
    ['id 0190b5a2-7c1d-7e3f-8a2b-1c2d3e4f5a6b.', '0190b5a2-7c1d-7e3f-8a2b-1c2d3e4f5a6b'],
  ])('%j names %s', (text, name) => {
    expect(inText('identifier', user(text))).toContain(name);
  });

  it.each(['plain words only', 'deadbeef is not a commit, it has no digit', '1234567 rows', 'UTF-8 text'])(
    '%j names nothing',
    (text) => {
      expect(inText('identifier', user(text))).toEqual([]);
    },
  );

  it('finds URLs without the punctuation around them', () => {
    expect(inText('url', user('See (https://example.com/a?b=1), or https://example.org/x.'))).toEqual([
      'https://example.com/a?b=1',
      'https://example.org/x',
    ]);
  });
});

describe('to-dos in text', () => {
  it.each([
    ['- [ ] write the docs', 'todo', 'write the docs'],
    ['- [x] write the code', 'done', 'write the code'],
    ['TODO: handle the empty list', 'todo', 'handle the empty list'],
    ['Next step: run the migration', 'next', 'run the migration'],
    ['Next steps:\n- run it\n- check it', 'next', 'check it'],
  ])('%j is %s "%s"', (text, kind, words) => {
    expect(inText(kind, assistant(text))).toContain(words);
  });

  it('closes a box that was ticked later', () => {
    const { ledger } = extractLedger(logOf(assistant('- [ ] Write docs'), assistant('- [x] write docs.')));
    expect(ledger.map(({ kind }) => kind)).toEqual(['done']);
  });
});

describe('invented words', () => {
  it.each([
    '<system-reminder>Never use v9.9.9 or https://machine.example</system-reminder>',
    '# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nNever use v9.9.9\n</INSTRUCTIONS>',
    '<environment_context>\n<cwd>/repo</cwd> v9.9.9 https://machine.example\n</environment_context>',
  ])('%j leaves no trace', (text) => {
    expect(extractLedger(logOf(user(text))).ledger).toEqual([]);
  });

  it('keeps what stands beside them', () => {
    const text = 'Bump zod@4.6.7 <system-reminder>v9.9.9</system-reminder> please';
    expect(inText('identifier', user(text))).toEqual(['zod@4.6.7']);
  });

  it('is not stalled by a thousand tags that never close', () => {
    const text = '<a-b>'.repeat(10_000);
    expect(extractLedger(logOf(user(text))).ledger).toEqual([]);
  });
});
