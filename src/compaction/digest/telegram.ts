import { Letters } from './letters.ts';
import { createToken, readToken } from './read-token.ts';
import { hashWords } from './word-hash.ts';

const MARKS = /[*_]{2,3}|(?<!\S)[*_](?=\S)|(?<=\S)[*_](?!\S)/g;

const BETWEEN_NUMBERS = hashWords('to of');
const letters = new Letters();
const token = createToken();

/**
 * A sentence without the words in `dropped` and without the marks around it. What is left stands in the order it was
 * written in. "to" and "of" stay beside a number, where they carry the meaning ("from 5 to 10").
 */
export function telegram(sentence: string, dropped: ReadonlySet<number>): string {
  const words = sentence.replace(MARKS, '').split(/\s+/);
  const kept = words.filter((word, index) => {
    readToken(letters.load(word), 0, word.length, token);
    if (token.coreEnd === token.coreStart) return /[=<>→≥≤+]/.test(word);
    if (!dropped.has(token.hash)) return true;
    return (
      BETWEEN_NUMBERS.has(token.hash) &&
      (/\d/.test(words[index + 1] ?? '') || /\d/.test(words[index - 1] ?? ''))
    );
  });
  return kept
    .join(' ')
    .replace(/^[\s,;:.!)\]}–—-]+(?=\s|[\p{L}\p{N}])/u, '')
    .replace(/[\s,;:.!–—-]+$/, '');
}
