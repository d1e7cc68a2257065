import type { Role } from '../../record/index.ts';
import type { Embedder } from '../recall.ts';
import { quantize, toUnit } from './vectors.ts';
import { wordBag } from './word-bag.ts';
import type { WordTable } from './word-table.ts';

/** What of a message is compared by meaning. */
export interface Meaning {
  /** One int8 vector after the other, empty if nothing in the text means anything; absent when it has yet to be asked for. */
  readonly vectors?: Uint8Array;
  /** How long each of the vectors is; 0 if there is none. */
  readonly dimensions: number;
  readonly words: Uint16Array;
}

/** Vectors of several messages, each with its own one after the other. */
interface Embedded {
  readonly vectors: readonly Uint8Array[];
  readonly dimensions: number;
}

export interface Said {
  readonly text: string;
  readonly role: Role;
}

/** Turns messages and queries into vectors: by the word table, or by a provider that takes its time and may fail. */
export interface Senses {
  readonly name: string;
  readonly table: WordTable;
  /** All that can be known at once: with a provider, without vectors. */
  read(message: Said): Meaning;
  /** The vectors that were left out. `undefined` where the provider failed. */
  embed(messages: readonly Said[]): Promise<Embedded | undefined>;
  embedQuery(text: string): Promise<Float32Array | undefined>;
}

type OnFailure = (error: unknown) => void;

// The sum of many words points nowhere, so a long text has a vector for each of its first stretches. What comes later
// is found by words; of what a tool gave back, only the beginning says what it is about.
const STRETCH = 800;
const MOST_STRETCHES = 4;
/** After a failure queries go by words for a while, instead of each waiting for the same failure. */
const REST_MS = 30_000;

export function createSenses(
  table: WordTable,
  {
    embedder,
    onFailure = () => {},
  }: { embedder?: Embedder | undefined; onFailure?: OnFailure | undefined } = {},
): Senses {
  if (embedder) return createForeignSenses(table, embedder, onFailure);
  const embed = ({ text, role }: Said) =>
    packed(stretchesOf(text, role).map((part) => table.embed(table.read(part))));
  return {
    name: table.name,
    table,
    read({ text, role }) {
      const stretches = stretchesOf(text, role).map(table.read);
      const vectors = packed(stretches.map(table.embed));
      return { vectors, dimensions: table.dimensions, words: wordBag(stretches) };
    },
    embed: async (messages) => ({ vectors: messages.map(embed), dimensions: table.dimensions }),
    embedQuery: async (text) => table.embed(table.read(text)),
  };
}

function createForeignSenses(table: WordTable, embedder: Embedder, onFailure: OnFailure): Senses {
  let restUntil = 0;
  async function ask(texts: readonly string[]): Promise<readonly Float32Array[] | undefined> {
    if (texts.length === 0) return [];
    try {
      const vectors = await embedder.embed(texts);
      if (vectors.length !== texts.length)
        throw new Error(`${embedder.name} gave ${vectors.length} vectors for ${texts.length} texts`);
      restUntil = 0;
      return vectors;
    } catch (error) {
      restUntil = Date.now() + REST_MS;
      onFailure(error);
      return undefined;
    }
  }
  return {
    name: embedder.name,
    table,
    read: ({ text, role }) => ({ dimensions: 0, words: wordBag(stretchesOf(text, role).map(table.read)) }),
    async embed(messages) {
      const stretches = messages.map(({ text, role }) => stretchesOf(text, role));
      const vectors = await ask(stretches.flat());
      if (!vectors) return undefined;
      const left = [...vectors];
      const packs = stretches.map(({ length }) => packed(left.splice(0, length)));
      return { vectors: packs, dimensions: vectors[0]?.length ?? 0 };
    },
    async embedQuery(text) {
      if (Date.now() < restUntil) return undefined;
      const vectors = await ask([text]);
      return vectors && toUnit(Float32Array.from(vectors[0]!));
    },
  };
}

export function stretchesOf(text: string, role: Role): string[] {
  const most = role === 'tool' ? 1 : MOST_STRETCHES;
  const stretches: string[] = [];
  for (let start = 0; start < text.length && stretches.length < most; ) {
    let end = Math.min(text.length, start + STRETCH);
    const space = end < text.length ? text.lastIndexOf(' ', end) : end;
    if (space > start + STRETCH / 2) end = space;
    const stretch = text.slice(start, end).toWellFormed();
    if (/[\p{L}\p{N}]/u.test(stretch)) stretches.push(stretch);
    start = end;
  }
  return stretches;
}

function packed(vectors: readonly Float32Array[]): Uint8Array {
  const rows = vectors.map(quantize).filter((row) => row.length > 0);
  const bytes = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    bytes.set(new Uint8Array(row.buffer), at);
    at += row.length;
  }
  return bytes;
}
