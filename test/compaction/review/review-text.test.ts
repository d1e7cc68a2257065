import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, type DraftChange } from '../../../src/compaction/review/change-draft.ts';
import { namedLines } from '../../../src/compaction/review/draft-lines.ts';
import { type ReviewedDraft, readReview, renderReview } from '../../../src/compaction/review/review-text.ts';
import { emptySummary, SUMMARY_LISTS, type Summary, type SummaryLine } from '../../../src/record/index.ts';

const SIGNS = [
  '⟦part-2⟧',
  '⟦',
  '⟧',
  '# ',
  '- ',
  '! ',
  '## Goal',
  ' (because: it is so)',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\u2028',
];
const textOf = (signs: readonly string[]) =>
  fc
    .array(
      fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...signs), fc.constantFrom('路', 'й', 'word')),
      {
        maxLength: 8,
      },
    )
    .map((pieces) => pieces.join(''));
function summaryWith(anyText: fc.Arbitrary<string>): fc.Arbitrary<Summary> {
  const anyId = fc.constantFrom('a', 'b', 'c');
  const anyLine = fc
    .record({
      text: anyText,
      from: fc.array(anyId, { maxLength: 2 }),
      isPinned: fc.boolean(),
      reason: anyText,
    })
    .map(
      ({ text, from, isPinned, reason }): SummaryLine => ({
        text,
        from,
        ...(isPinned && { pinned: true }),
        ...(reason.length > 20 && { reason }),
      }),
    );
  const anyLines = fc.array(anyLine, { maxLength: 3 });
  return fc
    .record({
      lists: fc.record(Object.fromEntries(SUMMARY_LISTS.map((list) => [list, anyLines]))),
      background: fc.oneof(fc.constant('Initial session.'), anyText),
      overview: anyText,
      foreign: fc.option(anyText, { nil: undefined }),
      files: fc.array(
        fc.record({
          path: anyText,
          operations: fc.array(fc.constantFrom('read', 'edited'), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      ledger: fc.array(fc.record({ kind: fc.constantFrom('figure', 'error'), text: anyText, entry: anyId }), {
        maxLength: 2,
      }),
    })
    .map(
      ({ lists, foreign, ...rest }): Summary => ({
        ...emptySummary(),
        ...lists,
        ...rest,
        ...(foreign !== undefined && { foreign }),
      }),
    );
}

const anySummary = summaryWith(textOf(SIGNS));
/** Without names at the ends of lines, by which this test finds the items that it changes. */
const plainSummary = summaryWith(
  textOf(SIGNS.filter((sign) => !sign.includes('⟦'))).map((text) => text.replaceAll('⟦', '')),
);

const LOST = [
  { name: 'lost-1', kind: 'path' as const, text: 'src/pier.ts', from: [{ entry: 'a', seq: 1 }] },
  { name: 'lost-2', kind: 'figure' as const, text: '1,204', from: [{ entry: 'b' }] },
];

function draftOf(summary: Summary): ReviewedDraft {
  const lines = namedLines(summary).map((line) => ({
    ...line,
    from: line.from.map((entry) => ({ entry, seq: entry.charCodeAt(0) })),
  }));
  return { covers: { from: 1, to: 9 }, messages: 9, tokensBefore: 900, tokensAfter: 90, lines, lost: LOST };
}

const read = (summary: Summary, text: string): Summary => {
  const changes = readReview(draftOf(summary), text);
  if (!changes) throw new Error('emptied');
  return applyChanges(summary, changes, LOST);
};

const PLAIN: Summary = {
  ...emptySummary('They painted a pier.'),
  goal: [{ text: 'Paint the pier', from: ['a'] }],
  decisions: [
    { text: 'Take green', from: ['a'], reason: 'it suits the sea' },
    { text: 'Two coats', from: ['b'], pinned: true },
  ],
  pending: [{ text: 'Buy brushes', from: ['c'] }],
  files: [{ path: 'pier.ts', operations: ['edited'] }],
  foreign: 'What another program said.\nIn two lines.',
};
const TEXT = renderReview(draftOf(PLAIN));
const nameOf = (text: string) => namedLines(PLAIN).find((line) => line.text.startsWith(text))!.name;
const swapped = (from: string | RegExp, to: string) => {
  const text = TEXT.replace(from, to);
  expect(text).not.toBe(TEXT);
  return read(PLAIN, text);
};

describe('the text of a draft', () => {
  it('changes nothing when it is read as it was written, whatever the summary says', () => {
    fc.assert(
      fc.property(anySummary, fc.constantFrom('\n', '\r\n'), (summary, end) => {
        const text = renderReview(draftOf(summary)).replaceAll('\n', end);
        expect(readReview(draftOf(summary), text)).toEqual([]);
        expect(applyChanges(summary, [], LOST)).toEqual(summary);
      }),
    );
  });

  it('says what random edits say, and leaves every other line as it is', () => {
    const anyWords = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9}){0,3}$/);
    const anyEdit = fc.record({
      at: fc.nat({ max: 40 }),
      how: fc.constantFrom('drop', 'comment', 'rewrite', 'pin', 'add'),
      words: anyWords,
    });
    fc.assert(
      fc.property(plainSummary, fc.array(anyEdit, { maxLength: 6 }), (summary, edits) => {
        const draft = draftOf(summary);
        const lists = draft.lines.filter(({ section }) =>
          (SUMMARY_LISTS as readonly string[]).includes(section),
        );
        const chosen = new Map(
          edits.flatMap((edit) => (lists[edit.at] ? [[lists[edit.at]!, edit] as const] : [])),
        );
        let text = renderReview(draft);
        const expected: DraftChange[] = [];
        for (const [line, { how, words }] of chosen) {
          const shown = itemIn(text, line.name);
          const edited: Record<typeof how, string> = {
            drop: '',
            comment: shown.replace(/^(?=.)/gm, '# '),
            rewrite: `- ${words} ⟦${line.name}⟧\n`,
            pin: shown.replace(/^[-!]/, line.pinned ? '-' : '!'),
            add: `${shown}- ${words}\n`,
          };
          text = text.replace(shown, () => edited[how]);
          const { name, section } = line;
          if (how === 'drop' || how === 'comment') expected.push({ do: 'drop', line: name });
          if (how === 'rewrite') {
            expected.push({ do: 'rewrite', line: name, text: words });
            if (line.pinned) expected.push({ do: 'unpin', line: name });
          }
          if (how === 'pin') expected.push({ do: line.pinned ? 'unpin' : 'pin', line: name });
          if (how === 'add') expected.push({ do: 'add', section, text: words });
        }
        expect(new Set(readReview(draft, text))).toEqual(new Set(expected));
      }),
    );
  });

  it('drops, rewrites, pins, unpins, moves and adds lines', () => {
    expect(swapped(/- Buy brushes .*\n/, '').pending).toEqual([]);
    expect(swapped('Take green (because: it suits the sea)', 'Take blue').decisions[0]).toEqual({
      text: 'Take blue',
      from: ['a'],
    });
    expect(swapped('- Take green', '! Take green').decisions[0]).toEqual({
      ...PLAIN.decisions[0],
      pinned: true,
    });
    expect(swapped(/- Take green .*\)/, '! Take blue').decisions[0]).toEqual({
      text: 'Take blue',
      from: ['a'],
      pinned: true,
    });
    expect(swapped('! Two coats', '- Two coats').decisions[1]).toEqual({ text: 'Two coats', from: ['b'] });
    const moved = swapped('## Pending', '## Completed');
    expect([moved.pending, moved.completed]).toEqual([[], PLAIN.pending]);
    expect(swapped('## Pending\n', '## Pending\n- Buy paint\n! Wear gloves\n').pending).toEqual([
      ...PLAIN.pending,
      { text: 'Buy paint', from: [] },
      { text: 'Wear gloves', from: [], pinned: true },
    ]);
  });

  it('keeps a file that is pinned as a fact, since only lines of lists are carried', () => {
    const { files, facts } = swapped('- pier.ts', '! pier.ts');
    expect([files, facts]).toEqual([[], [{ text: 'pier.ts (edited)', from: [], pinned: true }]]);
  });

  it('rescues what would be lost, in its own list or in words of a person', () => {
    expect(swapped('# - path: src/pier.ts', '- path: src/pier.ts').ledger).toEqual([
      { kind: 'path', text: 'src/pier.ts', entry: 'a' },
    ]);
    expect(swapped('# - path: src/pier.ts', '! The code is in src/pier.ts').facts).toEqual([
      { text: 'The code is in src/pier.ts', from: ['a'], pinned: true },
    ]);
  });

  it("drops another program's summary as a whole, and refuses to rewrite it", () => {
    expect(swapped(/- .*word for word.*\n/, '').foreign).toBeUndefined();
    expect(() => swapped('word for word:', 'in short:')).toThrow('can be dropped, not rewritten');
  });

  it('shows of a long text on what came before the beginning, and keeps it whole unless that is changed', () => {
    const summary = { ...PLAIN, background: 'They met in the harbour. '.repeat(40) };
    const text = renderReview(draftOf(summary));
    expect(text.split('\n').find((line) => line.includes('They met'))!.length).toBeLessThan(240);
    expect(read(summary, text)).toEqual(summary);
    expect(read(summary, text.replace(/- They met.*(?= ⟦)/, '- They met.')).background).toBe('They met.');
  });

  it('lets the overview follow the goal that it repeats', () => {
    const digest = { ...PLAIN, overview: 'Paint the pier' };
    const text = renderReview(draftOf(digest));
    expect(text).not.toContain('## Overview');
    const { goal, overview } = read(digest, text.replace('Paint the pier', 'Paint the boat'));
    expect([goal?.[0]?.text, overview]).toEqual(['Paint the boat', 'Paint the boat']);
  });

  it('takes a line that was copied for one more, and passes over the mark with which some editors begin a file', () => {
    const copied = swapped(/(- Buy brushes .*\n)/, '$1$1');
    expect(copied.pending.map(({ text }) => text)).toEqual(['Buy brushes', 'Buy brushes']);
    expect(readReview(draftOf(PLAIN), `\uFEFF${TEXT}`)).toEqual([]);
  });

  it('keeps the entries of a file that is written anew, and puts into facts what has no list to stand in', () => {
    const files = [{ path: 'pier.ts', operations: ['edited'], from: ['a'] }];
    const written = applyChanges({ ...PLAIN, files }, [
      { do: 'rewrite', line: nameOf('pier.ts'), text: 'docks/pier.ts (read, edited)' },
      { do: 'add', section: 'ledger', text: 'It rains.' },
      { do: 'add', section: 'foreign', text: 'It pours.' },
    ]);
    expect(written.files).toEqual([{ path: 'docks/pier.ts', operations: ['read', 'edited'], from: ['a'] }]);
    expect([written.facts.map(({ text }) => text), written.ledger, written.foreign]).toEqual([
      ['It rains.', 'It pours.'],
      [],
      PLAIN.foreign,
    ]);
  });

  it('refuses a line without words', () => {
    const empty = 'A line needs words';
    expect(() => applyChanges(PLAIN, [{ do: 'add', section: 'facts', text: ' ' }])).toThrow(empty);
    expect(() => applyChanges(PLAIN, [{ do: 'rewrite', line: 'part-1', text: '' }])).toThrow(empty);
    expect(() => applyChanges(PLAIN, [{ do: 'rescue', item: 'lost-1', text: '\n' }], LOST)).toThrow(empty);
  });

  it('is cancelled by an empty file, and refuses a name that the draft does not have', () => {
    expect(readReview(draftOf(PLAIN), ' \n\n')).toBeUndefined();
    expect(() => swapped('⟦part-3', '⟦part-33')).toThrow('No line of the draft is called ⟦part-33⟧');
  });

  it('refuses a change to a line or an item that the draft does not have, by its name', () => {
    expect(() => applyChanges(PLAIN, [{ do: 'drop', line: 'part-99' }])).toThrow('no line "part-99"');
    expect(() => applyChanges(PLAIN, [{ do: 'rescue', item: 'lost-9' }], LOST)).toThrow(
      'no lost item "lost-9"',
    );
    expect(() => applyChanges(PLAIN, [{ do: 'pin', line: 'part-2' }])).toThrow(
      'The overview cannot be pinned',
    );
  });
});

/** The lines of an item, up to the one with its name. */
function itemIn(text: string, name: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => new RegExp(`⟦${name}(?::[^⟦⟧]*)?⟧$`).test(line));
  let first = last;
  while (/^\s/.test(lines[first]!)) first--;
  return `${lines.slice(first, last + 1).join('\n')}\n`;
}
