import type { EntryId } from '../../record/index.ts';
import { todoKey } from '../ledger/index.ts';

/** What a summary says so far, so that it says nothing twice. */
export interface Said {
  add(text: string, from: readonly EntryId[]): void;
  /** Whether an entry's sentence is in it already, whole. */
  hasSentence(sentence: string, from: readonly EntryId[]): boolean;
  /** Whether a name, a number or a path stands in it anywhere. */
  hasName(name: string): boolean;
}

export function createSaid(): Said {
  const byEntry = new Map<EntryId, string[]>();
  const all: string[] = [];
  return {
    add(text, from) {
      const key = todoKey(text);
      for (const entry of from) byEntry.set(entry, [...(byEntry.get(entry) ?? []), key]);
      all.push(text.toLowerCase());
    },
    hasSentence(sentence, from) {
      const key = todoKey(sentence);
      return from.some((entry) => {
        const texts = byEntry.get(entry) ?? [];
        return texts.some((text) => text.includes(key)) || isPutTogether(key, texts);
      });
    },
    hasName(name) {
      const small = name.toLowerCase();
      return all.some((text) => text.includes(small));
    },
  };
}

/** Several lines hold a sentence together where one of them was taken for its end. */
function isPutTogether(key: string, texts: readonly string[]): boolean {
  const rest = texts
    .filter((text) => text.length >= SHORTEST_PART)
    .reduce((left, text) => left.replace(text, ' '), key);
  return rest !== key && rest.trim() === '';
}

const SHORTEST_PART = 8;
