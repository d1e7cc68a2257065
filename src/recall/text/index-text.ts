import { isAscii, normalize } from './fold-text.ts';
import { spaceOut } from './unspaced-script.ts';

const MOST_EXTRAS = 400;
/** What is longer is no name that somebody typed. */
const LONGEST_NAME = 64;

/**
 * The text as the full-text index gets it: in one spelling, unspaced scripts as tokens, and behind it the words that
 * are hidden in names: `open`, `sqlite` and `store` for `openSqliteStore`, `cplusplus` for `C++`. Names stay whole in
 * their place, so phrases are not disturbed.
 */
export function indexText(text: string): string {
  const plain = isAscii(text) ? text : spaceOut(withoutSigns(normalize(text)));
  const extras = new Set<string>();
  addNameParts(text, extras);
  addSignWords(text, extras);
  return extras.size === 0 ? plain : `${plain}\n${[...extras].join(' ')}`;
}

const SIGNS = /[^\p{ASCII}\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The index's own idea of what is a letter is years old: to it, an emoji of today is one, and sticks to the word. */
function withoutSigns(text: string): string {
  return text.replace(SIGNS, ' ');
}

/** `C++` and `c#` are words whose signs matter; they are kept under the name they have when they are spoken. */
export function signWord(word: string): string | undefined {
  const match = /^([a-z]\w{0,11}?)(\+\+|#)$/i.exec(word);
  return match ? spoken(match[1]!, match[2]!) : undefined;
}

const HUMP = /[a-z][A-Z]/g;

function addNameParts(text: string, parts: Set<string>): void {
  HUMP.lastIndex = 0;
  for (let hump = HUMP.exec(text); hump && parts.size < MOST_EXTRAS; hump = HUMP.exec(text)) {
    let start = hump.index;
    let end = hump.index + 2;
    while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isNameCode(text.charCodeAt(end))) end++;
    HUMP.lastIndex = end;
    if (end - start > LONGEST_NAME) continue;
    for (const part of nameParts(text.slice(start, end))) if (part.length > 1) parts.add(part);
  }
}

function nameParts(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
}

function isNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]\w{0,11}?)(\+\+|#)(?![+#])/g;

function addSignWords(text: string, words: Set<string>): void {
  if (!text.includes('++') && !text.includes('#')) return;
  for (const [, word, sign] of text.matchAll(SIGNED)) words.add(spoken(word!, sign!));
}

function spoken(word: string, sign: string): string {
  return word.toLowerCase() + (sign === '#' ? 'sharp' : 'plusplus');
}
