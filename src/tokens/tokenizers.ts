import { type CountPiece, readBytePairs } from './byte-pairs.ts';
import { findModel } from './find-model.ts';

/** The tokenizers that are known to the token: OpenAI's, of now and of before. */
type Tokenizer = 'o200k' | 'cl100k';

/** The beginnings of names, as in the catalogue. No other provider publishes what it counts by. */
const MODELS: readonly (readonly [model: string, tokenizer: Tokenizer])[] = [
  ['gpt', 'o200k'],
  ['gpt-3.5', 'cl100k'],
  ['gpt-4', 'cl100k'],
  ['gpt-4o', 'o200k'],
  ['gpt-4.1', 'o200k'],
  ['gpt-4.5', 'o200k'],
  ['chatgpt', 'o200k'],
  ['codex', 'o200k'],
  ['o1', 'o200k'],
  ['o3', 'o200k'],
  ['o4', 'o200k'],
];

/** Counts as the tokenizer of this model does; `undefined` for a model whose tokenizer is not known. */
export function countWithTokenizer(model: string): ((text: string) => number) | undefined {
  const tokenizer = findModel(model, { lines: MODELS, nameOf: ([name]) => name })?.line[1];
  return tokenizer && ((text) => countExactly(tokenizer, text));
}

// The rules by which each cuts a text into pieces; no token reaches over the end of one.
const SUFFIX = `'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE])`;
const HIGH = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const LOW = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const LEAD = String.raw`[^\r\n\p{L}\p{N}]?`;
const PIECES: Readonly<Record<Tokenizer, string>> = {
  o200k: String.raw`${LEAD}${HIGH}*${LOW}+(?:${SUFFIX})?|${LEAD}${HIGH}+${LOW}*(?:${SUFFIX})?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  cl100k: String.raw`${SUFFIX}|${LEAD}\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s`,
};

interface Reader {
  readonly pieces: RegExp;
  readonly countPiece: CountPiece;
  /** Lines and pieces that were counted: a request has nearly all of those of the one before. */
  readonly known: Map<string, number>;
  /** Characters in them. */
  held: number;
}

const readers = new Map<Tokenizer, Reader>();
const MOST_HELD = 8_000_000;
/** Longer pieces are cut: a pattern cannot be matched over any length. */
const LONGEST = 100_000;

/** Here no piece can go on: a line ends, and the next begins with neither a blank nor a slash. */
const LINE_END = /(?<=[\r\n])(?=[^\s/])/;

/** How many tokens a text is, exactly. The tokens are read from a file when they are first asked for. */
export function countExactly(tokenizer: Tokenizer, text: string): number {
  let reader = readers.get(tokenizer);
  if (!reader) {
    const countPiece = readBytePairs(`data/${tokenizer}.bin`);
    reader = { pieces: new RegExp(PIECES[tokenizer], 'gu'), countPiece, known: new Map(), held: 0 };
    readers.set(tokenizer, reader);
  }
  let tokens = 0;
  for (const line of text.split(LINE_END)) tokens += countLine(reader, line);
  return tokens;
}

function countLine(reader: Reader, line: string): number {
  return once(reader, line, () => {
    let tokens = 0;
    for (let start = 0; start < line.length; start += LONGEST) {
      for (const piece of line.slice(start, start + LONGEST).match(reader.pieces) ?? [])
        tokens += countPiece(reader, piece);
    }
    return tokens;
  });
}

function countPiece(reader: Reader, piece: string): number {
  // One piece may also be one line: it counts the same.
  return once(reader, piece, () => reader.countPiece(Buffer.from(piece).toString('latin1')));
}

function once(reader: Reader, text: string, count: () => number): number {
  const known = reader.known.get(text);
  if (known !== undefined) return known;
  const tokens = count();
  if (reader.held > MOST_HELD) {
    reader.known.clear();
    reader.held = 0;
  }
  reader.known.set(text, tokens);
  reader.held += text.length;
  return tokens;
}
