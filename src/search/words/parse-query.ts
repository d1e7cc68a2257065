import { foldText, normalize } from '../text/fold-text.ts';
import { type IndexPiece, indexPiecesOf, isStopWord, lastOf, pairsOf, signWord } from '../text/index-text.ts';

/** Something a message may hold. The more it holds, and the rarer they are, the higher it ranks. */
export interface Term {
  /** As the full-text index is asked for it; nothing in it can be taken for syntax. */
  readonly match: string;
  /** What to mark in a snippet, folded. */
  readonly shown: string;
  readonly kind: 'word' | 'pair' | 'phrase' | 'prefix';
}

/** Something in quotes: a message has to hold it, letter for letter but for case, accents and white space. */
interface Literal {
  /** Empty when there is no letter or digit in it: then messages have to be read. */
  readonly match: string;
  readonly folded: string;
}

/** A line of a query as one phrase of all its words, stop words and numbers too. */
interface Line {
  readonly match: string;
  /** How many words there are in it. */
  readonly words: number;
}

export interface Query {
  readonly terms: readonly Term[];
  readonly literals: readonly Literal[];
  /** Single words without stop words, folded: for looking up by meaning. */
  readonly words: readonly string[];
  /** Without quotes and stars. */
  readonly text: string;
  /** A name, a path, a prefix or quotes and nothing else: typed quotes mean exactly that. */
  readonly exact: boolean;
  /** One word, in whatever script: the messages that hold it are wanted, not those beside them. */
  readonly single: boolean;
  /** Its lines, each as it stands, for messages that hold them word for word. */
  readonly lines: readonly Line[];
}

const LONGEST_QUERY = 20_000;
const MOST_TERMS = 64;
const MOST_LITERALS = 8;
/** A paste of more lines is known by its first ones. */
const MOST_LINES = 8;
const MOST_WORDS_IN_A_LINE = 60;
/** A run of unspaced characters up to this many pairs is a word; a longer one is a sentence. */
const PAIRS_IN_A_WORD = 3;

/** Takes any text for a query: quotes and `word*` mean something, all else is words. Never throws. */
export function parseQuery(input: string): Query {
  const quoted: string[] = [];
  const rest = input.slice(0, LONGEST_QUERY).replace(/"([^"]*)"|“([^”]*)”/g, (_, straight, curly) => {
    quoted.push(straight ?? curly);
    return ' ';
  });
  const text = normalize(rest);
  const chunks = text
    .split(/[\s,;!?]+/)
    .filter(Boolean)
    .slice(0, 4 * MOST_TERMS);
  const all = chunks.flatMap((chunk) => termsOf(chunk, { alone: chunks.length === 1 }));
  // Signs alone, such as an emoji or an arrow, are not in the index either: as if they were in quotes.
  const signs = all.length === 0 && quoted.length === 0 ? rest.split(/\s+/).filter(isSign) : [];
  const literals = [...quoted, ...signs]
    .map(parseLiteral)
    .filter(({ folded }) => folded !== '')
    .slice(0, MOST_LITERALS);
  const telling = all.filter((term) => !isFiller(term));
  const kept = telling.length > 0 || literals.length > 0 ? telling : all;
  const terms = [...new Map(kept.map((term) => [term.match, term])).values()].slice(0, MOST_TERMS);
  const words = terms.flatMap(({ kind, shown }) => (kind === 'word' ? [shown] : []));
  return {
    terms,
    literals,
    words,
    text: `${rest.replaceAll('*', ' ')} ${quoted.join(' ')}`.trim(),
    exact: words.length === 0 && !terms.some(({ kind }) => kind === 'pair'),
    single: terms.length <= (/\s/.test(text.trim()) ? 1 : PAIRS_IN_A_WORD),
    lines: linesOf(input),
  };
}

/** A line of one word is a term already. */
function linesOf(input: string): Line[] {
  return normalize(input.slice(0, LONGEST_QUERY))
    .split('\n')
    .map((line) => indexPiecesOf(line).slice(0, MOST_WORDS_IN_A_LINE))
    .filter((pieces) => pieces.length > 1)
    .slice(0, MOST_LINES)
    .map((pieces) => ({ match: quote(phraseOf(pieces)), words: pieces.length }));
}

/** A name or a path alone is worth only what it is as a whole; among other words, its parts are words as well. */
function termsOf(chunk: string, { alone }: { alone: boolean }): Term[] {
  const bare = chunk.replace(/^[^\p{L}\p{N}\p{M}]+/u, '');
  const signed = signWord(bare.replace(/[.:)\]}'"]+$/, ''));
  if (signed) return [{ ...word(signed), shown: foldText(bare.replace(/[.:)\]}'"]+$/, '')) }];
  const pieces = indexPiecesOf(bare);
  if (/[\p{L}\p{N}\p{M}]{3}\*$/u.test(bare)) return prefixTerms(pieces);
  if (pieces.some(({ unspaced }) => unspaced)) return pieces.flatMap(pieceTerms);
  if (pieces.length <= 1) return pieces.map(({ text }) => word(text));
  if (/^[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*[^\p{L}\p{N}]*$/u.test(bare))
    return pieces.map(({ text }) => word(text));
  const hyphened = /^[\p{L}\p{M}]+(?:[-–'’][\p{L}\p{M}]+)+[^\p{L}\p{N}]*$/u.test(bare) && bare === chunk;
  const shown = foldText(bare.replace(/[^\p{L}\p{N}\p{M}]+$/u, ''));
  const whole: Term = { match: quote(phraseOf(pieces)), shown, kind: 'phrase' };
  return hyphened || !alone ? [...pieces.map(({ text }) => word(text)), whole] : [whole];
}

function pieceTerms({ text, unspaced }: IndexPiece): Term[] {
  if (!unspaced) return [word(text)];
  const pairs = pairsOf(text);
  if (pairs.length === 0) return [{ match: `${quote(text)} *`, shown: text, kind: 'pair' }];
  // Two hiragana in a row are mostly grammar.
  const telling = pairs.filter((pair) => !/^\p{Script=Hiragana}+$/u.test(pair));
  return (telling.length > 0 ? telling : pairs).map((pair) => ({
    match: quote(pair),
    shown: pair,
    kind: 'pair',
  }));
}

/** From three letters on: fewer begin every other message, and the index would have to gather them all. */
function prefixTerms(pieces: readonly IndexPiece[]): Term[] {
  const match = `${quote(phraseOf(pieces))} *`;
  return [{ match, shown: foldText(pieces.map(({ text }) => text).join(' ')), kind: 'prefix' }];
}

function parseLiteral(text: string): Literal {
  const pieces = indexPiecesOf(normalize(text));
  const last = pieces.at(-1);
  const open = last?.unspaced && pairsOf(last.text).length === 0 ? ' *' : '';
  return {
    match: pieces.length === 0 ? '' : `${quote(phraseOf(pieces))}${open}`,
    folded: foldText(text).trim(),
  };
}

/** The tokens of the pieces in a row. A run at the end may go on in the text, so its last character is left open. */
function phraseOf(pieces: readonly IndexPiece[]): string {
  return pieces
    .flatMap(({ text, unspaced }, index) => {
      if (!unspaced) return [text];
      const pairs = pairsOf(text);
      return index === pieces.length - 1 && pairs.length > 0 ? pairs : [...pairs, lastOf(text)];
    })
    .join(' ');
}

function word(text: string): Term {
  return { match: quote(text), shown: foldText(text), kind: 'word' };
}

function quote(tokens: string): string {
  return `"${tokens.replaceAll('"', ' ')}"`;
}

/** Punctuation alone is searched for only in quotes. */
function isSign(chunk: string): boolean {
  return /\p{S}/u.test(chunk);
}

function isFiller({ kind, shown }: Term): boolean {
  return kind === 'word' && isStopWord(shown);
}
