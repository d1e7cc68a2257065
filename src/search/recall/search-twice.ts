import type { Hit, Recall, SearchOptions } from '../recall.ts';

// A question and its answer often share no word, but messages about a matter use the same few words again and again. So the
// words that set the best hits apart from the others are looked for as well, and whatever both searches find comes before
// what only one does.

/** Hits whose words are taken up. */
const BEST = 5;
const MOST_WORDS = 6;
/** What the second search counts for: it knows less of the question. */
const SECOND_SHARE = 0.3;

interface SearchTwiceOptions extends SearchOptions {
  /** Whether the words of a hit may be used. */
  readonly isOpen: (hit: Hit) => boolean | Promise<boolean>;
}

/** Best first: the hits for the question, and for the question with words of its best hits. */
export async function searchTwice(
  recall: Recall,
  question: string,
  { isOpen, ...options }: SearchTwiceOptions,
): Promise<Hit[]> {
  const first = await recall.search(question, options);
  const open: Hit[] = [];
  for (const hit of first) if (open.length < BEST && (await isOpen(hit))) open.push(hit);
  const words = tellingWords(question, open, first);
  if (words.length === 0) return first;
  const second = await recall.search(`${question} ${words.join(' ')}`, options);
  const found = new Map(first.map((hit) => [keyOf(hit), hit]));
  for (const hit of second) {
    const before = found.get(keyOf(hit));
    const score = (before?.score ?? 0) + SECOND_SHARE * hit.score;
    found.set(keyOf(hit), { ...(before ?? hit), score });
  }
  const all = [...found.values()].sort((a, b) => b.score - a.score);
  return all.slice(0, Math.max(first.length, second.length));
}

/** Words that the best hits have, the others mostly lack, and the question does not mention. */
function tellingWords(question: string, best: readonly Hit[], all: readonly Hit[]): string[] {
  const asked = wordsOf(question);
  const texts = new Map(all.map((hit) => [hit, wordsOf(hit.snippet)]));
  const common = new Map<string, number>();
  for (const words of texts.values()) for (const word of words) common.set(word, (common.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const hit of best) {
    for (const word of texts.get(hit)!.difference(asked)) {
      const rarity = Math.log(all.length / common.get(word)!);
      weights.set(word, (weights.get(word) ?? 0) + hit.score * rarity);
    }
  }
  return [...weights]
    .filter(([, weight]) => weight > 0)
    .sort(([a, heavy], [b, light]) => light - heavy || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word);
}

/** From three letters on; of scripts without spaces none, because there the words cannot be separated. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{3,40}/gu) ?? [];
  return new Set(words.filter((word) => !UNSPACED.test(word)));
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function keyOf({ session, entry }: Hit): string {
  return `${session} ${entry}`;
}
