import { isAscii, normalize } from './fold-text.ts';
import { addNameParts } from './name-parts.ts';
import { spaceOut } from './unspaced-script.ts';

const MOST_EXTRAS = 400;

/**
 * The text as the full-text index gets it: in one spelling, unspaced scripts as tokens, and behind it the words that
 * are hidden in names: `open`, `sqlite` and `store` for `openSqliteStore`, `cplusplus` for `C++`. Names stay whole in
 * their place, so phrases are not disturbed.
 */
export function indexText(text: string): string {
  const plain = isAscii(text) ? text : spaceOut(withoutSigns(normalize(text)));
  const extras = new Set<string>();
  addNameParts(text, extras, MOST_EXTRAS);
  addSignWords(text, extras);
  return extras.size === 0 ? plain : `${plain}\n${[...extras].join(' ')}`;
}

const SIGNS = /[^\p{ASCII}\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The index's idea of a letter is years old: to it, an emoji of today is one, and sticks to the word. */
function withoutSigns(text: string): string {
  return text.replace(SIGNS, ' ');
}

/** `C++` and `c#` are words whose signs matter; they are kept under the name they have when they are spoken. */
export function signWord(word: string): string | undefined {
  const match = /^([a-z]\w{0,11}?)(\+\+|#)$/i.exec(word);
  return match ? spoken(match[1]!, match[2]!) : undefined;
}

const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]\w{0,11}?)(\+\+|#)(?![+#])/g;

function addSignWords(text: string, words: Set<string>): void {
  if (!text.includes('++') && !text.includes('#')) return;
  for (const [, word, sign] of text.matchAll(SIGNED)) words.add(spoken(word!, sign!));
}

function spoken(word: string, sign: string): string {
  return word.toLowerCase() + (sign === '#' ? 'sharp' : 'plusplus');
}
