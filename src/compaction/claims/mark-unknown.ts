import { type Entry, mapLines, type Summary, summaryIn } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { createOutcomeReader, measuredIn, plainText, readOutcomes, readPart } from '../../text/index.ts';
import { transcriptText } from '../transcript-text.ts';
import { writtenLines } from '../written-lines.ts';
import { type NamedKind, NUMBER, namedIn } from './named-in.ts';
import { readWords } from './read-words.ts';

// A figure, a path, a name or a quotation that the source does not hold was made up, or computed, and what left no trace
// there did not happen. The line may still be right, so it stays, with a note of the words that the source does not have: a
// successor does not rely on those.

const NOTE = /^.*\(not in the conversation: .*$/gm;

/** The summary with a note behind each line that names what neither the entries nor the summary before them hold. */
export function markUnknown(
  summary: Summary,
  { entries, before }: { entries: readonly Entry[]; before?: Summary },
): Summary {
  const older = before ? [renderSummary(before)] : [];
  const texts = [transcriptText(entries, { longest: Number.POSITIVE_INFINITY }), ...older];
  const known = withoutNotes(texts);
  const spoken = [...spokenIn(entries), ...older];
  const written = [summary.background, summary.overview, ...writtenLines(summary)];
  const source = readSource(known);
  const languages = { spoken: spoken.join('\n'), summary: written.join('\n') };
  const otherWords = readWords(known, languages);
  const measures = measuredIn(known, languages);
  const outcomesIn = createOutcomeReader([...spoken, ...written]);
  const happened = readOutcomes(entries, {
    older: older.map((text) => withoutNotes([text])),
    read: outcomesIn,
  });
  const mark = (text: string) => {
    const unknown = namedIn(text).filter(({ kind, said }) => !source[kind](said));
    const outcomes = outcomesIn(text);
    const untold = [...outcomes].filter(([outcome]) => !happened(outcome));
    const exact = new Set([
      ...unknown.map(({ said }) => said),
      ...measures(text),
      ...untold.map(([, said]) => shorten(said)),
    ]);
    // Events are described in other words than the command that caused them.
    const rest = [...outcomes.values()].reduce((left, said) => left.replace(said, ''), text);
    const words = exact.size > 0 ? [...exact] : otherWords(rest);
    return words.length === 0 ? text : `${text} (not in the conversation: ${words.join(', ')})`;
  };
  return {
    ...mapLines(summary, (lines) => lines.map((line) => ({ ...line, text: mark(line.text) }))),
    overview: mark(summary.overview),
    background: mark(summary.background),
  };
}

/** Up to here numbers count things, and are said in words as often. */
const MOST_COUNTED = 20;

function readSource(known: string): Record<NamedKind, (said: string) => boolean> {
  const text = plainText(known);
  const numbers = new Set((text.match(NUMBER) ?? []).map(digitsOf));
  const spoken = wordsOf(text);
  const words = new Set(spoken);
  const line = ` ${spoken.join(' ')} `;
  const starts = new Set([...words].map((word) => word.slice(0, START)));
  const has = (said: string) => wordsOf(said).every((word) => words.has(word));
  const begin = (said: string) => wordsOf(said).every((word) => starts.has(word.slice(0, START)));
  const counts = (said: string) => /^\d+$/.test(said) && Number(said) <= MOST_COUNTED;
  return {
    // Numbers inside words (`32K`, `v2`) were found as words.
    number: (said) => counts(said) || numbers.has(digitsOf(said)) || text.includes(said),
    words: (said) => text.includes(plainText(said)) || has(said),
    exact: (said) => text.includes(plainText(said).replace(/^v(?=\d)/, '')),
    // Words that are all there do not make a file that is.
    path: (said) => text.includes(fileOf(plainText(said))) || (!ENDING.test(said) && begin(said)),
    quote: (said) => line.includes(` ${wordsOf(said).join(' ')} `) || text.includes(plainText(said)),
    name: (said) => text.includes(plainText(said)) || begin(said),
  };
}

function withoutNotes(texts: readonly string[]): string {
  return texts.join('\n').replace(NOTE, '');
}

function spokenIn(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ body }) =>
    body.kind === 'message'
      ? body.parts.map(readPart).flatMap((piece) => (piece.kind === 'said' ? [`${piece.text}`] : []))
      : (summaryIn(body)?.overview ?? []),
  );
}

const START = 4;
const LONGEST_NOTE = 60;

function shorten(said: string): string {
  return said.length <= LONGEST_NOTE ? said : `${said.slice(0, LONGEST_NOTE).toWellFormed()} …`;
}

const ENDING = /.\.\w+$/;

/** A file is known by its own name; a name without an ending may be any word, so its folder has to fit. */
function fileOf(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts.slice(ENDING.test(path) ? -1 : -2).join('/');
}

function wordsOf(text: string): string[] {
  return plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** "1,046" and "1046" are one number. */
function digitsOf(number: string): string {
  return number.replace(/[,'’ ](?=\d{3})/g, '');
}
