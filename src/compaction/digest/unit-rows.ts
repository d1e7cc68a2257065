import type { EntryId } from '../../record/index.ts';
import {
  ANNOUNCES,
  GREETS,
  type Letters,
  meaningOf,
  RULES,
  SAYS_OUTCOME,
  SAYS_WHEN,
  SPEAKS_OF_SELF,
} from '../../text/index.ts';
import { createToken, HAS_CAPITAL, HAS_DIGIT, IS_NAME, IS_QUOTED, readToken } from './read-token.ts';
import { createWordTable, Integers } from './word-table.ts';

/** A text that facts are taken from, and how much what it says counts. */
export interface UnitSource {
  readonly text: string;
  readonly from: readonly EntryId[];
  readonly weight: number;
  readonly by: 'user' | 'assistant' | 'tool';
}

/**
 * The sentences of all sources as rows of numbers: a long session has a million words, and a string for each would cost
 * more than everything else. Text is made only for the few rows that are chosen.
 */
export interface Units {
  readonly count: number;
  readonly source: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Row n holds `words[firstWord[n]]` up to `words[firstWord[n + 1]]`, each word once. */
  readonly firstWord: Int32Array;
  readonly words: Int32Array;
  /** About how many tokens the row costs. */
  readonly cost: Int32Array;
  /** What its traits multiply its worth by, in thousandths. */
  readonly boost: Int32Array;
  /** By word: in how many rows it occurs. */
  readonly frequency: Int32Array;
  /** By word: how often it is, or is part of, a name; and the last row where it is. */
  readonly named: Int32Array;
  readonly namedIn: Int32Array;
  readonly vocabulary: number;
  /** The words of another text, as far as they occur in a row. */
  wordsOf(text: string): number[];
}

/**
 * Names and figures that are hard to guess must not be lost. Set by what survived of three long conversations; none is
 * critical.
 */
const FACTORS = [
  { trait: HAS_DIGIT, factor: 1.3 },
  { trait: HAS_CAPITAL, factor: 1.5 },
  { trait: IS_NAME, factor: 1.2 },
  { trait: IS_QUOTED, factor: 1.3 },
] as const;
const MEANING_FACTORS = [
  { meaning: SPEAKS_OF_SELF, factor: 1.5 },
  { meaning: SAYS_WHEN, factor: 1.25 },
  { meaning: RULES, factor: 1.3 },
  { meaning: SAYS_OUTCOME, factor: 1.25 },
] as const;

/** Collects the rows. A row is open from its first token to the end of its sentence. */
export class UnitRows {
  /** Where the open row starts; -1 when none is open. */
  opened = -1;
  readonly #letters: Letters;
  readonly #dropped: ReadonlySet<number>;
  readonly #token = createToken();
  readonly #table = createWordTable();
  readonly #words = new Integers();
  readonly #columns = {
    source: new Integers(),
    start: new Integers(),
    end: new Integers(),
    firstWord: new Integers(),
    cost: new Integers(),
    boost: new Integers(),
  };
  readonly #frequency = new Integers();
  readonly #named = new Integers();
  readonly #namedIn = new Integers();
  /** By word: the last row, given up or not, that it was seen in. */
  readonly #seenIn = new Integers();
  #opening = 0;
  #source!: UnitSource;
  #sourceIndex = 0;
  #cost = 0;
  #traits = 0;
  #meanings = 0;
  #symbols = 0;
  #factor = 1;
  #tokens = 0;
  /** Tokens that are nothing but small letters. */
  #plain = 0;

  /** Rows are read from `letters`, which holds the text of the source that was begun last. */
  constructor(letters: Letters, dropped: ReadonlySet<number>) {
    this.#letters = letters;
    this.#dropped = dropped;
  }

  begin(source: UnitSource, index: number): void {
    this.#source = source;
    this.#sourceIndex = index;
  }

  add(start: number, end: number): void {
    const token = this.#token;
    readToken(this.#letters, start, end, token);
    if (this.opened < 0) this.#open(start);
    const first = this.#tokens++ === 0;
    this.#symbols += token.symbols;
    if (token.traits === 0 && token.coreEnd - token.coreStart > 1) this.#plain++;
    const meaning = meaningOf(token.hash);
    if (meaning !== 0) this.#weigh(meaning, first);
    this.#cost += token.cost;
    if (this.#dropped.has(token.hash)) return;
    // A capital at the start of a sentence names nothing.
    const traits = first ? token.traits & ~HAS_CAPITAL : token.traits;
    this.#traits |= traits;
    const isName = (traits & (HAS_CAPITAL | IS_NAME)) !== 0;
    for (let index = 0; index < token.wordCount; index++) this.#addWord(token.words[index]!, isName);
  }

  close(end: number): void {
    if (this.opened < 0) return;
    const { source, start, end: ends, firstWord, cost, boost } = this.#columns;
    const first = firstWord.values[firstWord.length - 1]!;
    const words = this.#words.length - first;
    if (words === 0 || (this.#source.by === 'tool' && !this.#isProse(end))) {
      firstWord.length--;
      this.#words.length = first;
    } else {
      for (let at = first; at < this.#words.length; at++) this.#frequency.values[this.#words.values[at]!]!++;
      source.push(this.#sourceIndex);
      start.push(this.opened);
      ends.push(end);
      cost.push(Math.ceil(this.#cost));
      boost.push(Math.round(this.#boost(end, words) * 1000));
    }
    this.opened = -1;
  }

  finish(): Units {
    const { source, start, end, firstWord, cost, boost } = this.#columns;
    firstWord.push(this.#words.length);
    return {
      count: source.length,
      source: source.values,
      start: start.values,
      end: end.values,
      firstWord: firstWord.values,
      words: this.#words.values,
      cost: cost.values,
      boost: boost.values,
      frequency: this.#frequency.values,
      named: this.#named.values,
      namedIn: this.#namedIn.values,
      vocabulary: this.#table.size,
      wordsOf: (text) => this.#wordsOf(text),
    };
  }

  #wordsOf(text: string): number[] {
    const found: number[] = [];
    this.#letters.load(text);
    for (const { index, 0: word } of text.matchAll(/\S+/g)) {
      readToken(this.#letters, index, index + word.length, this.#token);
      for (const hash of this.#token.words.subarray(0, this.#token.wordCount)) {
        const id = this.#table.find(hash);
        if (id >= 0) found.push(id);
      }
    }
    return found;
  }

  #open(start: number): void {
    this.opened = start;
    this.#opening++;
    this.#columns.firstWord.push(this.#words.length);
    this.#cost = 0;
    this.#traits = 0;
    this.#meanings = 0;
    this.#symbols = 0;
    this.#factor = 1;
    this.#tokens = 0;
    this.#plain = 0;
  }

  #weigh(meaning: number, first: boolean): void {
    const byUser = this.#source.by === 'user';
    if (first && meaning & GREETS) this.#factor *= 0.25;
    else if (first && meaning & ANNOUNCES && !byUser) this.#factor *= 0.5;
    // A rule is one when the person says it; what became of the work is for the others to tell.
    this.#meanings |= meaning & ~(byUser ? SAYS_OUTCOME : RULES);
  }

  #addWord(hash: number, isName: boolean): void {
    const id = this.#table.idOf(hash);
    if (id >= this.#seenIn.length) {
      for (const column of [this.#seenIn, this.#frequency, this.#named, this.#namedIn]) column.reach(id);
    }
    if (isName) {
      this.#named.values[id]!++;
      this.#namedIn.values[id] = this.#columns.source.length;
    }
    if (this.#seenIn.values[id] === this.#opening) return;
    this.#seenIn.values[id] = this.#opening;
    this.#words.push(id);
  }

  #isNoisy(end: number): boolean {
    return this.#symbols * 12 > end - this.opened;
  }

  /** Output is worth reading when it is made of words: listings, tables and dumps can be had again. */
  #isProse(end: number): boolean {
    return !this.#isNoisy(end) && this.#plain >= 5 && this.#plain * 4 >= this.#tokens * 3;
  }

  #boost(end: number, words: number): number {
    let boost = this.#factor;
    for (const one of FACTORS) if (this.#traits & one.trait) boost *= one.factor;
    for (const one of MEANING_FACTORS) if (this.#meanings & one.meaning) boost *= one.factor;
    const last = this.#source.text[end - 1];
    if (last === '?' || last === '？') boost *= 0.35;
    // A heading or the line before a list announces; so does a word or two alone.
    else if (last === ':' || last === '：' || last === '*') boost *= 0.4;
    if (words < 3) boost *= 0.6;
    return this.#isNoisy(end) ? boost * 0.15 : boost;
  }
}
