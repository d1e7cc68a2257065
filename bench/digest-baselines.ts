import { type Conversation, contentWords, type Kept } from './locomo.ts';

/** Fills a budget from a conversation in some simple way. A turn costs its tokens and three for who said it. */
export type Baseline = (
  conversation: Conversation,
  budget: number,
  count: (text: string) => number,
) => Kept[];

export const BASELINES: Readonly<Record<string, Baseline>> = {
  'last turns': (conversation, budget, count) =>
    turnsFrom(conversation, budget, { count, newestFirst: true }),
  'head + tail': (conversation, budget, count) => [
    ...turnsFrom(conversation, budget / 2, { count, newestFirst: false }),
    ...turnsFrom(conversation, budget / 2, { count, newestFirst: true }),
  ],
  'TF-IDF centroid': (conversation, budget, count) => nearestToCentroid(conversation, budget, count),
};

function turnsFrom(
  { turns }: Conversation,
  budget: number,
  { count, newestFirst }: { count: (text: string) => number; newestFirst: boolean },
): Kept[] {
  const kept: Kept[] = [];
  let left = budget;
  const places = [...turns.keys()];
  for (const place of newestFirst ? places.toReversed() : places) {
    const { text } = turns[place]!;
    left -= count(text) + 3;
    if (left < 0) break;
    kept.push({ text, turns: [place] });
  }
  return kept;
}

/** Sentences that are most like all the others: what the usual extractive summarisers choose. */
function nearestToCentroid({ turns }: Conversation, budget: number, count: (text: string) => number): Kept[] {
  const units = turns.flatMap(({ text }, place) =>
    (text.match(/[^.!?\n]+[.!?]*["')\]]*\s*/g) ?? [text])
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .map((sentence) => ({ text: sentence.trim(), turns: [place], words: contentWords(sentence) })),
  );
  const frequency = new Map<string, number>();
  for (const { words } of units)
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const rarity = (word: string) => Math.log(1 + units.length / frequency.get(word)!);
  const centroid = new Map<string, number>();
  for (const { words } of units)
    for (const word of words) centroid.set(word, (centroid.get(word) ?? 0) + rarity(word));
  const likeness = ({ words }: { words: readonly string[] }) => {
    const length = Math.sqrt(words.reduce((sum, word) => sum + rarity(word) ** 2, 0)) || 1;
    return words.reduce((sum, word) => sum + rarity(word) * centroid.get(word)!, 0) / length;
  };
  const ranked = units.map((unit) => ({ unit, value: likeness(unit) })).sort((a, b) => b.value - a.value);
  const kept: Kept[] = [];
  let left = budget;
  for (const { unit } of ranked) {
    const cost = count(unit.text) + 3;
    if (cost > left) continue;
    left -= cost;
    kept.push(unit);
  }
  return kept;
}
