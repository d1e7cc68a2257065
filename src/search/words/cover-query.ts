import type { VectorComparison } from '../meaning/meaning-matrix.ts';
import { likenessTo } from '../meaning/word-bag.ts';
import type { WordTable } from '../meaning/word-table.ts';
import type { Query } from './parse-query.ts';
import type { WordSearch } from './search-words.ts';

/** Words less alike than this have nothing to do with each other. */
const LEAST_LIKENESS = 0.4;
/** What a word counts for that stands in the turn before, or in the one after. */
const SAID_BEFORE = 0.5;
const SAID_AFTER = 0.4;

export interface Covered {
  /** The share of the query's words, by rarity, that a message has itself, in near synonyms too. */
  readonly own: ReadonlyMap<number, number>;
  /** The same with the words of the turns right beside it, which count for less. */
  readonly around: ReadonlyMap<number, number>;
}

interface Covering {
  readonly query: Query;
  readonly words: WordSearch;
  readonly messages: () => number;
  readonly table: WordTable;
  readonly comparison: VectorComparison;
}

/** For each word of the query the most similar word of each of the messages. */
export function coverQuery(
  docs: Iterable<number>,
  { query, words, messages, table, comparison }: Covering,
): Covered {
  const all = messages();
  const asked = query.words.map((word) => ({
    likeness: likenessTo(word, table, weighLikeness),
    rarity: Math.log(1 + all / (1 + words.frequency(`"${word}"`))),
  }));
  const whole = asked.reduce((sum, { rarity }) => sum + rarity, 0) || 1;
  const read = new Map<number, Float32Array | undefined>();

  /** How near the message comes to each word of the query. */
  function alikeIn(doc: number): Float32Array | undefined {
    if (read.has(doc)) return read.get(doc);
    const bag = comparison.wordsOf(doc);
    const alike =
      bag &&
      Float32Array.from(asked, ({ likeness }) => {
        let most = 0;
        for (let at = 0; at < bag.length; at++) most = Math.max(most, likeness[bag[at]!]!);
        return most;
      });
    read.set(doc, alike);
    return alike;
  }

  const wanted = [...docs];
  comparison.read(wanted.flatMap((doc) => [doc - 1, doc, doc + 1]));
  const own = new Map<number, number>();
  const around = new Map<number, number>();
  for (const doc of wanted) {
    const alike = alikeIn(doc);
    if (!alike) continue;
    const [before, after] = [alikeIn(doc - 1), alikeIn(doc + 1)];
    let [itself, beside] = [0, 0];
    for (const [word, { rarity }] of asked.entries()) {
      const here = alike[word]!;
      const near = Math.max(SAID_BEFORE * (before?.[word] ?? 0), SAID_AFTER * (after?.[word] ?? 0));
      itself += rarity * here;
      beside += rarity * Math.max(here, near);
    }
    own.set(doc, itself / whole);
    around.set(doc, beside / whole);
  }
  return { own, around };
}

function weighLikeness(cosine: number): number {
  return cosine > LEAST_LIKENESS ? cosine * cosine : 0;
}
