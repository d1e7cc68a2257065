import { readFileSync } from 'node:fs';
import type { Message } from '../src/index.ts';

// Synthetic messages whose words are as unevenly spread as those of real ones: a handful in nearly every message, most
// of them rare. The query shapes are words of known frequency in it.

const TABLE = new URL('../data/words40k-128.bin', import.meta.url);
const WORDS = readWords();
/** Real logs hold far more different words than a dictionary: names, numbers, identifiers. */
const VOCABULARY = 1_000_000;

/** The word of a rank: 0 is the most frequent, and rank r about 1/r as often. Beyond the dictionary, two words in one. */
export function wordAt(rank: number): string {
  const first = WORDS[rank % WORDS.length]!;
  const round = Math.floor(rank / WORDS.length);
  return round === 0 ? first : first + WORDS[(rank * 7919 + round) % WORDS.length]!;
}

/** English words, the most frequent first: as the word table has them, without its word pieces. */
function readWords(): string[] {
  const bytes = readFileSync(TABLE);
  const list = bytes.subarray(16, 16 + bytes.readUInt32LE(12)).toString('utf8');
  return list.split('\n').filter((word) => /^[a-z]{2,}$/.test(word));
}

/** Words in a question, an answer and a tool result: about 200 B, 2 KB and 8 KB. */
const LENGTHS = [30, 300, 1200];

/** Deterministic, a third each of short questions, answers and tool results. */
export function wordyMessageAt(index: number): Message {
  const text = textAt(index, LENGTHS[index % 3]!);
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

function textAt(index: number, words: number): string {
  const random = generator(index + 1);
  const text: string[] = [`message${index}`];
  for (let n = 0; n < words; n++) {
    const rank = Math.floor(VOCABULARY ** random()) - 1;
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
