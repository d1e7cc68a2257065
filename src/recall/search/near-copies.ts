/** Compared by their words alone: states of one list, edits of one file, and the same output again are near copies. */
export interface NearCopies<T> {
  /** The one of the same place that this text is nearly a copy of; otherwise the text is kept for those to come. */
  first(text: string, place: string, of: T): T | undefined;
}

const MOST_WORDS = 200;
/** So many of all their words are in both. */
const LEAST_SHARED = 0.8;
/** A hit is compared with so many before it. */
const MOST_COMPARED = 50;

export function createNearCopies<T>(): NearCopies<T> {
  const kept: { readonly place: string; readonly words: ReadonlySet<string>; readonly of: T }[] = [];
  return {
    first(text, place, of) {
      const words = wordsOf(text);
      const copy = kept.find((other) => other.place === place && isCopy(words, other.words));
      if (copy) return copy.of;
      kept.unshift({ place, words, of });
      kept.length = Math.min(kept.length, MOST_COMPARED);
      return undefined;
    },
  };
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word.toLowerCase());
    if (words.size >= MOST_WORDS) break;
  }
  return words;
}

function isCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [least, most] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  // Two texts without a word, such as signs, are not known to be alike.
  if (least === 0 || least / most < LEAST_SHARED) return false;
  const shared = a.intersection(b).size;
  return shared / (a.size + b.size - shared) >= LEAST_SHARED;
}
