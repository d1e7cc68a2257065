import type { EntryId, LedgerItem, SummaryFile } from '../../record/index.ts';
import { type Line, onlyLooks, todoKey } from '../../text/index.ts';
import { RowHeap } from './row-heap.ts';

export interface LineOrder {
  /** The line that adds most per token to all that was taken before. */
  next(): Line | undefined;
  /** Counts a text as said. */
  cover(words: ReadonlySet<string>): void;
}

interface OrderOptions {
  /** How much a token counts: 0 takes the most telling line whatever its length, 1 the one that tells most per token. */
  readonly cost: number;
  /** Repeating lines count less, and so do further lines of one exchange in one section. */
  readonly coverage: boolean;
}

const SAID_TWICE = 0.2;
const SAME_EXCHANGE = 0.45;
/** Of a line's worth per 30 tokens that its speaker has in this turn already. */
const SAME_SPEAKER = 0.85;
/** Stands in its list even if other lines have its words. */
const FIRM = new Set<Line['act']>(['strict', 'told']);
const STRONG = new Set<Line['act']>(['promise', 'changed', 'strict', 'told']);

/**
 * Takes lines one by one, the most telling first. The order does not depend on any budget: a larger one takes the same
 * lines first, so it never loses what a smaller one kept.
 */
export function orderLines(lines: readonly Line[], { cost, coverage }: OrderOptions): LineOrder {
  const rarity = raritiesOf(lines);
  const weigh = (words: ReadonlySet<string>) => {
    let sum = 0;
    for (const word of words) sum += rarity(word);
    return sum;
  };
  const mass = lines.map(({ words }) => weigh(words));
  const said = new Set<string>();
  const spent = new Map<string, number>();
  const base = Float64Array.from(lines, ({ value, cost: tokens }) => value / (tokens + 3) ** cost);
  const heap = new RowHeap(base);
  const keyOf = ({ turn, by, section }: Line) => `${turn} ${coverage ? section : by}`;
  const left = (tokens: number) =>
    coverage ? (tokens > 0 ? SAME_EXCHANGE : 1) : SAME_SPEAKER ** (tokens / 30);

  const gainOf = (row: number): number => {
    const line = lines[row]!;
    const fresh = mass[row]! === 0 ? 1 : freshOf(line.words, said, rarity) / mass[row]!;
    if (fresh < SAID_TWICE) return FIRM.has(line.act) ? base[row]! * SAID_TWICE : 0;
    const novelty = coverage ? (STRONG.has(line.act) ? Math.max(0.8, fresh) : fresh) : Math.min(1, fresh * 2);
    const rest = !coverage && stands(line) ? 1 : left(spent.get(keyOf(line)) ?? 0);
    return base[row]! * novelty * rest;
  };
  const cover = (words: ReadonlySet<string>) => {
    for (const word of words) said.add(word);
  };
  return {
    next() {
      while (heap.size > 0) {
        const { row } = heap.pop();
        const gain = gainOf(row);
        if (gain <= 0) continue;
        if (heap.size > 0 && gain < heap.best) {
          heap.push(row, gain);
          continue;
        }
        const line = lines[row]!;
        cover(line.words);
        spent.set(keyOf(line), (spent.get(keyOf(line)) ?? 0) + line.cost);
        return line;
      }
      return undefined;
    },
    cover,
  };
}

/** Rules of one message hold all of them, and so do the lines of a list of an older summary: that is no exchange. */
function stands({ act, section }: Line): boolean {
  return act === 'strict' || (act === 'carried' && section !== 'facts');
}

function freshOf(
  words: ReadonlySet<string>,
  said: ReadonlySet<string>,
  rarity: (word: string) => number,
): number {
  let sum = 0;
  for (const word of words) if (!said.has(word)) sum += rarity(word);
  return sum;
}

/** A word that few lines have says much. */
function raritiesOf(lines: readonly Line[]): (word: string) => number {
  const rarity = new Map<string, number>();
  for (const { words } of lines) for (const word of words) rarity.set(word, (rarity.get(word) ?? 0) + 1);
  for (const [word, count] of rarity) rarity.set(word, Math.log(1 + lines.length / count));
  return (word) => rarity.get(word) ?? 0;
}

/** The worth of the newest of a kind to a successor. */
const USEFUL: Readonly<Record<string, number>> = {
  command: 2.4,
  error: 2.4,
  url: 1.8,
  identifier: 1.4,
  figure: 0.4,
};
/** Each older one of the same kind tells a little less; further lines of the same run much less. */
const OLDER = 0.08;
const SAME_RUN = 0.5;

/** Ledger items from the most to the least useful; kinds take turns, each newest first. */
export function orderLedger(ledger: readonly LedgerItem[]): LedgerItem[] {
  const runs = new Map<string, number>();
  const place = ledger.map(({ kind, entry }) => {
    const before = runs.get(`${kind} ${entry}`) ?? 0;
    runs.set(`${kind} ${entry}`, before + 1);
    return before;
  });
  const newer = new Map<string, number>();
  const scored: { item: LedgerItem; score: number }[] = [];
  for (let index = ledger.length - 1; index >= 0; index--) {
    const item = ledger[index]!;
    const { kind } = item;
    // A file that was only read can be read again.
    if (kind === 'command' && onlyLooks(item.text)) continue;
    const rank = newer.get(kind) ?? 0;
    newer.set(kind, rank + 1);
    scored.push({ item, score: (USEFUL[kind] ?? 1) - rank * OLDER - place[index]! * SAME_RUN });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

const CHANGES = new Set(['written', 'edited', 'created', 'deleted', 'moved']);

/** Changed files first, newest first; then reads. Searches can be repeated. */
export function orderFiles(files: readonly SummaryFile[]): SummaryFile[] {
  const newest = files
    .filter(({ operations }) => operations.some((name) => name !== 'searched'))
    .toReversed();
  const changed = newest.filter(({ operations }) => operations.some((name) => CHANGES.has(name)));
  return [...changed, ...newest.filter((file) => !changed.includes(file))];
}

/** What a summary says so far, so that it says nothing twice. */
export interface DigestSaid {
  add(text: string, from: readonly EntryId[]): void;
  /** Whether an entry's sentence is in it already, whole. */
  hasSentence(sentence: string, from: readonly EntryId[]): boolean;
  /** Whether a name, a number or a path stands in it anywhere. */
  hasName(name: string): boolean;
}

export function createSaid(): DigestSaid {
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
