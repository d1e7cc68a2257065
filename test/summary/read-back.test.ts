import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySummary, SUMMARY_LISTS, type Summary } from '../../src/record/index.ts';
import {
  foldCheckpoint,
  readCheckpointFile,
  readLooseSummary,
  readSessionSummary,
  readSyntheticPair,
  renderSummary,
  withLists,
  writeCheckpointFile,
  writeSessionSummary,
  writeSyntheticPair,
} from '../../src/summary/index.ts';
import { renderWorkCheckpoint } from '../../src/work/request/render-checkpoint.ts';

const ENTRY = '01890000-0000-7000-8000-000000000000';

const word = fc.constantFrom(
  ...'the lease is 2 minutes, not three; use `pnpm` (never npm) src/a.ts #12 - * 1. • [x] ## **bold** None: 日本語 über — "quoted" v1.2.3 → done (because)'.split(
    ' ',
  ),
);
const words = fc
  .array(word, { minLength: 1, maxLength: 8 })
  .map((all) => all.join(' '))
  // A box at the beginning of an item, and the word for an empty list, belong to the list.
  .filter((text) => !/^\[x\]|^None$/.test(text) && /[\p{L}\p{N}]/u.test(text));
const text = fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const line = fc.record(
  { text, from: fc.constant([]), reason: words, supersedes: words },
  { requiredKeys: ['text', 'from'] },
);
const list = fc.array(line, { maxLength: 4 });
const prose = fc.array(fc.constantFrom('The', 'queue', 'was', 'rebuilt', 'twice', '2', 'über'), {
  minLength: 2,
  maxLength: 10,
});
const sentence = prose.map((all) => `${all.join(' ')}.`);
const file = fc.record({
  path: fc.constantFrom('src/a.ts', 'src/deep/folder/b (1).ts', 'src/deep/folder/c.ts', 'README.md'),
  operations: fc.subarray(['read', 'edited']),
});
const ledgerItem = fc.record({
  kind: fc.constantFrom('command', 'error', 'url'),
  text: fc.constantFrom('npm test → exit 1', 'TypeError: x\nat y', 'https://example.com/a'),
  entry: fc.constant(ENTRY),
});

/** In another program's words and form. */
const foreign = fc
  .array(
    fc.oneof(
      sentence,
      words,
      fc.constantFrom('', '## Goal', '   - a list', '```', 'see <!-- SESSION_SUMMARY_END -->'),
    ),
  )
  .map((lines) => ['First of all:', ...lines, '  the end'].join('\n'));

const summary: fc.Arbitrary<Summary> = fc
  .record({
    background: fc.oneof(fc.constant('Initial session.'), sentence),
    overview: sentence,
    lists: fc.tuple(...SUMMARY_LISTS.map(() => list)),
    files: fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 4 }),
    ledger: fc.array(ledgerItem, { maxLength: 3 }),
    foreign: fc.option(foreign, { nil: undefined }),
  })
  .map(({ lists, ...rest }) => ({
    ...emptySummary(),
    ...rest,
    ...Object.fromEntries(SUMMARY_LISTS.map((name, at) => [name, lists[at]])),
  }));

/** Without lists that are empty: a text has no heading for them. */
function lists(given: Summary | undefined): unknown {
  return (
    given && SUMMARY_LISTS.flatMap((name) => ((given[name] ?? []).length > 0 ? [[name, given[name]]] : []))
  );
}

describe('any summary is read back from', () => {
  it.each([
    {
      face: 'its own rendering',
      read: (given: Summary) => readLooseSummary(renderSummary(given), { entry: ENTRY }),
    },
    {
      face: 'a pair of messages',
      read: (given: Summary) =>
        readLooseSummary(readSyntheticPair(writeSyntheticPair(renderSummary(given)).user)!, { entry: ENTRY }),
    },
  ])('$face, whole', ({ read }) => {
    fc.assert(
      fc.property(summary, (given) => {
        const back = read(given)!;
        expect(lists(back)).toEqual(lists(given));
        expect(back).toMatchObject({
          background: given.background,
          overview: given.overview,
          files: given.files,
          ledger: given.ledger,
        });
        expect(back.foreign).toBe(given.foreign);
      }),
    );
  });

  it('the block of a markdown transcript, every list', () => {
    fc.assert(
      fc.property(summary, (given) => {
        const topics = given.topics.length > 0 ? given.topics : [{ text: given.overview, from: [] }];
        const back = readSessionSummary(`# Talk\n\n${writeSessionSummary(given)}\n`)!;
        expect([back.background, lists(back)]).toEqual([given.background, lists({ ...given, topics })]);
        expect(back.foreign).toBe(given.foreign);
      }),
    );
  });

  it('the checkpoint of a work request and from its file, every list that they have', () => {
    fc.assert(
      fc.property(summary, (given) => {
        const checkpoint = foldCheckpoint([{ ...given, standing: [] }]);
        const back = readLooseSummary(
          renderWorkCheckpoint({ ...checkpoint, overview: [given.overview] }).text,
        );
        const { completed, pending, decisions, blockers, facts, files } = back ?? emptySummary();
        expect({ completed, pending, decisions, blockers, facts, files }).toEqual({
          ...checkpoint,
          files: checkpoint.files.map(({ path, operations }) => ({ path, operations })),
        });
        const stored = writeCheckpointFile(checkpoint, {
          sessionId: 's',
          version: 1,
          createdAt: 0,
          updatedAt: 0,
          lastCompactionInput: 0,
          totalSaved: 0,
        });
        const { decisions: fromFile } = readCheckpointFile(JSON.parse(JSON.stringify(stored)));
        expect(fromFile).toEqual(checkpoint.decisions);
      }),
    );
  });
});

it.each(['-', '*', '+', '•', '1.', '2)'])(
  'an item that begins with %s is a line, and the next one belongs to it',
  (mark) => {
    const read = readLooseSummary(`## Decisions\n\n${mark} use Redis\n   for sessions\n${mark} no cookies`);
    expect(read?.decisions.map(({ text: said }) => said)).toEqual(['use Redis\nfor sessions', 'no cookies']);
  },
);

it('a summary with numbered titles and indented items is read into its lists, line by line', () => {
  const text = [
    '1. Primary Request and Intent:',
    '   - build the parser',
    '     in one pass',
    '   - then ship it',
    '2. Key Technical Concepts:',
    '   - recursive descent',
    '3. Pending Tasks:',
    '   - the docs',
    '   ```sh',
    '   npm run docs',
    '   ```',
    '4. Something Else: it was late',
  ].join('\n');
  expect(withLists(emptySummary(text))).toMatchObject({
    goal: [{ text: 'build the parser\nin one pass' }, { text: 'then ship it' }],
    pending: [{ text: 'the docs\n```sh\n   npm run docs\n```' }],
    facts: [{ text: 'recursive descent' }, { text: 'Something Else: it was late' }],
  });
});

it('a long text without titles is its first line and facts, one for each line', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Part ${n} was built by plan ${n}.`);
  const read = withLists(emptySummary(lines.join('\n')));
  expect([read.overview, ...read.facts.map((one) => one.text)]).toEqual(lines);
});
