import type { Role } from '../../record/index.ts';
import type { Embedder } from '../recall.ts';
import { quantize, toUnit } from './vectors.ts';
import { wordBag } from './word-bag.ts';
import { type WordTable, wordsOf } from './word-table.ts';

/** What of a message is compared by meaning. */
export interface Meaning {
  /** One int8 vector after the other; empty if nothing in the text means anything to the embedder. */
  readonly vectors: Uint8Array;
  readonly words: Uint16Array;
}

/** Turns messages and queries into vectors: by the word table, or by a provider that may fail. */
export interface Senses {
  readonly name: string;
  readonly table: WordTable;
  /** Vectors are `undefined` where the provider failed. */
  embedMessages(
    messages: readonly { text: string; role: Role }[],
  ): Promise<(Meaning | { words: Uint16Array })[]>;
  embedQuery(text: string): Promise<Float32Array | undefined>;
}

// The sum of many words points nowhere, so a long text has a vector for each of its first stretches. What comes later
// is found by words; of what a tool gave back, only the beginning says what it is about.
const STRETCH = 800;
const MOST_STRETCHES = 4;

export function createSenses(table: WordTable, embedder?: Embedder): Senses {
  if (!embedder) {
    return {
      name: table.name,
      table,
      async embedMessages(messages) {
        return messages.map(({ text, role }) => {
          const stretches = stretchesOf(text, role).map(wordsOf);
          return { vectors: packed(stretches.map(table.embed)), words: wordBag(stretches.flat(), table) };
        });
      },
      embedQuery: async (text) => table.embed(wordsOf(text)),
    };
  }
  return {
    name: embedder.name,
    table,
    async embedMessages(messages) {
      const stretches = messages.map(({ text, role }) => stretchesOf(text, role));
      const words = stretches.map((parts) => wordBag(parts.flatMap(wordsOf), table));
      try {
        const vectors = [...(await embedder.embed(stretches.flat()))];
        return stretches.map((parts, index) => ({
          vectors: packed(vectors.splice(0, parts.length)),
          words: words[index]!,
        }));
      } catch {
        return words.map((bag) => ({ words: bag }));
      }
    },
    async embedQuery(text) {
      try {
        const [vector] = await embedder.embed([text]);
        return vector && toUnit(Float32Array.from(vector));
      } catch {
        return undefined;
      }
    },
  };
}

function stretchesOf(text: string, role: Role): string[] {
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
