import { sharedWords } from './language/content-words.ts';
import type { Line } from './lines.ts';
import { RowHeap } from './row-heap.ts';

export interface LineOrder {
  /** The line that adds most per token to all that was taken before. */
  next(): Line | undefined;
  /** Counts a text as said. */
  cover(words: ReadonlySet<string>): void;
}

export interface OrderOptions {
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

export function saysTheSame(a: Line, b: Line): boolean {
  const shared = sharedWords(a.words, b.words);
  return shared * 4 >= Math.min(a.words.size, b.words.size) * 3;
}
