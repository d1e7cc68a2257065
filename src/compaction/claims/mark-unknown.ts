import { type Entry, mapLines, type Summary, summaryIn } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { readPart } from '../../text/index.ts';
import { findIdentifiers, findUrls } from '../ledger/index.ts';
import { findCode, findNames } from '../retention/index.ts';
import { transcriptText } from '../transcript-text.ts';
import { writtenLines } from '../written-lines.ts';
import { withoutFrame } from './claim-content.ts';
import { plainText } from './plain-text.ts';
import { readWords } from './read-words.ts';

// A figure, a path, a name or a quotation that the source does not hold was made up, or computed. Such a line may still be
// right, so it stays, with a note of the words that the source does not have: a successor does not rely on those.

const NOTE = /^.*\(not in the conversation: .*$/gm;
/** Up to here numbers count things, and are said in words as often. */
const MOST_COUNTED = 20;
const NUMBER = /(?<![\p{L}\p{N}_])\d+(?:[,.'’ ]\d{3}(?!\d))*(?:\.\d+)?/gu;
const PATH =
  /(?<![\p{L}\p{N}_/.])(?:[\w@.-]*\/)+[\w@-]+(?:\.\w+)+|(?<![\p{L}\p{N}_/.-])[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|md|json|ya?ml|toml|sql|sh|css|html|txt)\b/gu;
const QUOTE = /"([^"\n]+)"|“([^“”\n]+)”|「([^「」\n]+)」|«([^«»\n]+)»/gu;
const QUOTED_WORDS = 3;
/** German writes every noun with a capital. */
const GERMAN = /\b(?:der|die|das|den|dem|und|ist|wird|wurde|nicht|für|mit|von|ein|eine)\b/i;

/** The summary with a note behind each line that names what neither the entries nor the summary before them hold. */
export function markUnknown(
  summary: Summary,
  { entries, before }: { entries: readonly Entry[]; before?: Summary },
): Summary {
  const older = before ? [renderSummary(before)] : [];
  const texts = [transcriptText(entries, { longest: Number.POSITIVE_INFINITY }), ...older];
  const source = readSource(texts);
  const otherWords = readWords(withoutNotes(texts), {
    spoken: [...spokenIn(entries), ...older].join('\n'),
    summary: [summary.background, summary.overview, ...writtenLines(summary)].join('\n'),
  });
  const mark = (text: string) => {
    const unknown = claimsIn(text).filter(({ kind, said }) => !source[kind](said));
    const exact = [...new Set(unknown.map(({ said }) => said))];
    const words = exact.length > 0 ? exact : otherWords(text);
    return words.length === 0 ? text : `${text} (not in the conversation: ${words.join(', ')})`;
  };
  return {
    ...mapLines(summary, (lines) => lines.map((line) => ({ ...line, text: mark(line.text) }))),
    overview: mark(summary.overview),
    background: mark(summary.background),
  };
}

type Kind = 'number' | 'words' | 'path' | 'quote' | 'name';

function claimsIn(text: string): { kind: Kind; said: string }[] {
  const of = (kind: Kind, found: readonly string[]) => found.map((said) => ({ kind, said }));
  const paths = [...text.matchAll(PATH)].map(([path]) => path);
  const exact = [...findUrls(text), ...findIdentifiers(text), ...findCode(text)];
  const quotes = [...text.matchAll(QUOTE)].flatMap((spans) => spans.slice(1).find(Boolean) ?? []);
  const long = quotes.filter((quote) => quote.split(/\s+/).length >= QUOTED_WORDS);
  const rest = [...exact, ...paths, ...long].reduce((left, one) => left.replaceAll(one, ' '), text);
  return [
    ...of('words', exact),
    ...of('path', paths),
    ...of('quote', long),
    ...of('number', rest.match(NUMBER) ?? []),
    ...of('name', GERMAN.test(text) ? [] : findNames(rest).filter((name) => /\S/.test(withoutFrame(name)))),
  ];
}

function readSource(texts: readonly string[]): Record<Kind, (said: string) => boolean> {
  const text = plainText(withoutNotes(texts));
  const numbers = new Set((text.match(NUMBER) ?? []).map(digitsOf));
  const spoken = wordsOf(text);
  const words = new Set(spoken);
  const line = ` ${spoken.join(' ')} `;
  const starts = new Set([...words].map((word) => word.slice(0, START)));
  const has = (said: string) => wordsOf(said).every((word) => words.has(word));
  return {
    // Numbers inside words (`32K`, `v2`) were found as words.
    number: (said) => Number(digitsOf(said)) <= MOST_COUNTED || numbers.has(digitsOf(said)) || has(said),
    words: (said) => text.includes(plainText(said)) || has(said),
    // Words that are all there do not make a file that is.
    path: (said) => text.includes(fileOf(plainText(said))),
    quote: (said) => line.includes(` ${wordsOf(said).join(' ')} `),
    name: (said) =>
      text.includes(plainText(said)) || wordsOf(said).every((word) => starts.has(word.slice(0, START))),
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

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function wordsOf(text: string): string[] {
  return plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** "1,046" and "1046" are one number. */
function digitsOf(number: string): string {
  return number.replace(/[,'’ ](?=\d{3})/g, '');
}
