import type { Entry, Summary } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { type HardItem, hardItems } from './hard-items.ts';

export interface Retention {
  /** Share of the range's hard items that can still be found in the summary, 0 to 1; 1 when there were none. */
  readonly score: number;
  /** The others, most often mentioned first. */
  readonly missing: HardItem[];
}

export function measureRetention(entries: readonly Entry[], summary: Summary): Retention {
  const items = hardItems(entries);
  const text = plain(renderSummary(summary));
  const missing = items.filter((item) => !holds(text, item));
  return { score: items.length === 0 ? 1 : 1 - missing.length / items.length, missing };
}

/** A path is found by its last part too, if that is a file's name: the folder can be looked up. */
function holds(text: string, { kind, text: item }: HardItem): boolean {
  const wanted = plain(item);
  if (hasWord(text, wanted)) return true;
  const file = kind === 'path' ? /[^/\\]+\.\w{1,8}$/.exec(wanted)?.[0] : undefined;
  return file !== undefined && hasWord(text, file);
}

/** Not as a part of a longer word or number: "12 tests" is not in "112 tests". */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + word.length] ?? ' ';
    if (!(LETTER.test(before) && LETTER.test(word[0]!)) && !(LETTER.test(after) && LETTER.test(word.at(-1)!)))
      return true;
  }
  return false;
}

const LETTER = /[\p{Script=Latin}\p{N}_]/u;

function plain(text: string): string {
  return text.toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, ' ');
}
