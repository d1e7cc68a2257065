import { readFileSync } from 'node:fs';
import type { Message } from '../src/index.ts';

// Synthetic messages whose words are as unevenly spread as those of real ones: a handful in nearly every message, most
// of them rare. RECALL's query shapes are words of known frequency in it.

const TABLE = new URL('../data/words40k-128.bin', import.meta.url);
const WORDS = readWords();

/** The word of a rank: 0 is the most frequent. */
export function wordAt(rank: number): string {
  return WORDS[rank]!;
}

/** English words, the most frequent first: as the word table has them, without its word pieces. */
function readWords(): string[] {
  const bytes = readFileSync(TABLE);
  const list = bytes.subarray(16, 16 + bytes.readUInt32LE(12)).toString('utf8');
  return list.split('\n').filter((word) => /^[a-z]{2,}$/.test(word));
}

/** Deterministic, a third each of short questions, answers and tool results. */
export function wordyMessageAt(index: number, scale = 1): Message {
  const length = [30, 120, 400][index % 3]! * scale;
  const text = textAt(index, length);
  if (index % 3 < 2) {
    return { kind: 'message', role: index % 3 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text }] };
  }
  const output = { type: 'text', value: text };
  return {
    kind: 'message',
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: `call-${index}`, toolName: 'read', output }],
  };
}

export function textAt(index: number, words: number): string {
  const random = generator(index + 1);
  const text: string[] = [`message${index}`];
  for (let n = 0; n < words; n++) {
    // Zipf: the word of rank r about 1/r as often as the first.
    const rank = Math.floor(WORDS.length ** random()) - 1;
    text.push(n % 23 === 0 ? `src/${wordAt(rank)}/log.ts` : wordAt(rank));
  }
  return text.join(' ');
}

/** A small fast generator of numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
