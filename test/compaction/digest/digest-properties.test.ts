import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { Entry, EntryBody, Summary, SummaryLine } from '../../../src/record/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { countText } from '../../../src/tokens/index.ts';
import { anyBody, anyJson, anyText } from '../../record/arbitraries.ts';

const WORDS =
  'the parser of it should not fail on 12 rows in Oslo because src/log.ts was moved, we decided to keep v1.2.3 and Ingrid said "never" to the 30 ms limit 会議は三月です。 please fix'.split(
    ' ',
  );
const sentences = fc
  .array(
    fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 })
      .map((words) => `${words.join(' ')}.`),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) => list.join(' '));
const toolInput = fc.oneof(
  anyJson,
  fc.constantFrom<unknown>(
    { command: 'npm test' },
    { file_path: 'a.ts' },
    { todos: [{ content: 'x y', status: 'pending' }] },
  ),
);
const talk: fc.Arbitrary<EntryBody> = fc.oneof(
  { weight: 3, arbitrary: sentences.map((text) => user(text)) },
  { weight: 3, arbitrary: sentences.map((text) => assistant(text)) },
  fc
    .tuple(fc.constantFrom('Bash', 'Read', 'TodoWrite', 'odd'), toolInput)
    .map(([name, input]) => toolCall(name, input)),
  fc
    .tuple(fc.constantFrom('Bash', 'Read', 'odd'), fc.oneof(sentences, anyJson), fc.boolean())
    .map(([name, output, failed]) => toolResult(name, output, { failed })),
  { weight: 1, arbitrary: anyBody },
);
const anyLog: fc.Arbitrary<Entry[]> = fc.array(talk, { maxLength: 25 }).map((bodies) => logOf(...bodies));
const anyTalk: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.oneof(
      sentences.map((text) => user(text)),
      sentences.map((text) => assistant(text)),
    ),
    { maxLength: 20 },
  )
  .map((bodies) => logOf(...bodies));
const anyBudget = fc.integer({ min: 32, max: 1500 });
const LISTS = ['topics', 'decisions', 'completed', 'pending', 'blockers', 'facts'] as const;
const linesOf = (summary: Summary): SummaryLine[] => LISTS.flatMap((list) => summary[list]);

/** Words without what stands around them, so that cut-off punctuation does not count. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/[*_`]/g, '')
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word);

function isSubsequence(words: readonly string[], source: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    while (at < source.length && source[at] !== word) at++;
    if (at++ >= source.length) return false;
  }
  return true;
}

const textOf = (entry: Entry | undefined): string =>
  entry?.body.kind === 'message'
    ? entry.body.parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('\n')
    : '';

describe('any digest', () => {
  it('is the same every time, fits its budget, and names only entries that exist', () => {
    fc.assert(
      fc.property(anyLog, anyBudget, (entries, maxTokens) => {
        const summary = digestEntries(entries, { maxTokens });
        expect(digestEntries(entries, { maxTokens })).toEqual(summary);
        expect(countText(renderSummary(summary))).toBeLessThanOrEqual(maxTokens);
        const ids = new Set(entries.map(({ id }) => id));
        for (const { from } of linesOf(summary)) for (const id of from) expect(ids).toContain(id);
        for (const { entry } of summary.ledger) expect(ids).toContain(entry);
      }),
      { numRuns: 120 },
    );
  });

  it('says in its facts only words of the entry it names, in their order', () => {
    fc.assert(
      fc.property(anyTalk, anyBudget, (entries, maxTokens) => {
        const byId = new Map(entries.map((entry) => [entry.id, entry]));
        const { facts } = digestEntries(entries, { maxTokens });
        for (const { text, from } of facts) {
          expect(isSubsequence(wordsOf(text), wordsOf(textOf(byId.get(from[0]!))))).toBe(true);
        }
        const places = facts.map(({ from }) => entries.findIndex(({ id }) => id === from[0]));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  it('attributes to the person only what the person wrote', () => {
    fc.assert(
      fc.property(anyTalk, (entries) => {
        const byId = new Map(entries.map((entry) => [entry.id, entry]));
        const { completed, pending, facts } = digestEntries(entries, { maxTokens: 800 });
        for (const { text, from } of facts.filter(({ text }) => text.startsWith('> '))) {
          const source = byId.get(from[0]!);
          expect(source?.body).toMatchObject({ role: 'user' });
          expect(isSubsequence(wordsOf(text), wordsOf(textOf(source)))).toBe(true);
        }
        // What was asked, and what came of it: each in the words of an entry that the line names.
        for (const { text, from } of [...completed, ...pending]) {
          for (const said of text.split(' → ')) {
            const sources = from.map((id) => wordsOf(textOf(byId.get(id))));
            expect(sources.some((source) => isSubsequence(wordsOf(said), source))).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('never lists a finished request as pending', () => {
    fc.assert(
      fc.property(anyLog, (entries) => {
        const { completed, pending } = digestEntries(entries, { maxTokens: 1500 });
        const open = new Set(pending.map(({ text }) => text));
        for (const { text } of completed) expect(open).not.toContain(text);
      }),
      { numRuns: 150 },
    );
  });

  it('says with more room all that it says with less', () => {
    fc.assert(
      fc.property(anyLog, anyBudget, fc.integer({ min: 1, max: 400 }), (entries, maxTokens, more) => {
        const small = digestEntries(entries, { maxTokens });
        const large = digestEntries(entries, { maxTokens: maxTokens + more });
        for (const list of LISTS.filter((name) => name !== 'facts')) {
          const texts = large[list].map(({ text }) => text);
          for (const { text } of small[list]) expect(texts).toContain(text);
        }
        for (const { text, from } of small.facts) {
          const same = large.facts.filter((line) => line.from[0] === from[0]).map((line) => line.text);
          expect(isSubsequence(wordsOf(text), wordsOf(same.join(' ')))).toBe(true);
        }
        const [files, items] = [large.files.map(({ path }) => path), large.ledger.map(({ text }) => text)];
        for (const { path } of small.files) expect(files).toContain(path);
        for (const { text } of small.ledger) expect(items).toContain(text);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps when merging the entries that its parts named', () => {
    fc.assert(
      fc.property(anyLog, anyLog, anyBudget, (one, two, maxTokens) => {
        const parts = [one, two].map((entries) => digestEntries(entries, { maxTokens: 400 }));
        const merged = digestEntries([], { maxTokens, earlier: parts });
        expect(countText(renderSummary(merged))).toBeLessThanOrEqual(maxTokens);
        const known = new Set(parts.flatMap(linesOf).flatMap(({ from }) => from));
        for (const { from } of linesOf(merged)) for (const id of from) expect(known).toContain(id);
        const sources = parts.flatMap(({ facts }) => facts);
        for (const { text, from } of merged.facts) {
          const lines = sources.filter((line) => line.from[0] === from[0]).map((line) => line.text);
          expect(lines.some((line) => isSubsequence(wordsOf(text), wordsOf(line)))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('hostile input', () => {
  it('never throws, whatever an entry holds', () => {
    const odd = fc.record(
      {
        type: fc.constantFrom('text', 'tool-call', 'tool-result', 'file', 'reasoning', 'scent'),
        text: fc.oneof(anyText, anyJson),
        toolCallId: fc.oneof(anyText, anyJson),
        toolName: fc.oneof(anyText, anyJson),
        input: fc.oneof(anyText, anyJson),
        output: fc.oneof(anyText, anyJson),
      },
      { requiredKeys: ['type'], noNullPrototype: true },
    );
    const role = fc.constantFrom('system', 'user', 'assistant', 'tool');
    const body = fc
      .tuple(role, fc.array(odd, { maxLength: 4 }))
      .map(([who, parts]) => ({ kind: 'message', role: who, parts }) as EntryBody);
    fc.assert(
      fc.property(fc.array(fc.oneof(body, anyBody), { maxLength: 12 }), (bodies) => {
        const summary = digestEntries(logOf(...bodies), { maxTokens: 300 });
        expect(countText(renderSummary(summary))).toBeLessThanOrEqual(300);
      }),
      { numRuns: 200 },
    );
  });

  it('reads a blob by its preview', () => {
    const blob = {
      $blob: 'a'.repeat(64),
      as: 'text',
      bytes: 99,
      preview: 'The vault code is 4711 for Oslo.',
    };
    const { goal } = digestEntries(logOf(user([{ type: 'text', text: blob }])), { maxTokens: 100 });
    expect(goal?.map(({ text }) => text)).toEqual(['The vault code is 4711 for Oslo.']);
  });

  it.each([
    ['one word of 10 MB', 'x'.repeat(10_000_000)],
    ['10 MB of prose', 'The parser drops row 12. '.repeat(400_000)],
    ['10 MB without a space', '会議は三月です'.repeat(1_400_000)],
    ['a million open brackets', '<('.repeat(1_000_000)],
    ['a million half characters', '\ud83d'.repeat(1_000_000)],
    ['addresses without end', 'a@1'.repeat(300_000)],
    ['yes without end', `${'continue '.repeat(100_000)}x`],
  ])('takes %s in its stride', (_, text) => {
    const summary = digestEntries(logOf(user(text), toolResult('Bash', text), assistant(text)), {
      maxTokens: 200,
    });
    expect(countText(renderSummary(summary))).toBeLessThanOrEqual(200);
  });

  it('has nothing to say about nothing', () => {
    expect(renderSummary(digestEntries([], { maxTokens: 100 })).trim()).toBe('## Conversation Summary');
  });
});
