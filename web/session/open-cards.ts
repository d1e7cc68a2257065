import type { Originals, ShownCompaction } from '../timeline/shown.ts';
import { readEarlier, readRange } from './read-pages.ts';

/** The cards one has to open to see an entry, outermost first; none if it is in the timeline itself. */
export function cardsOver(compactions: readonly ShownCompaction[], seq: number): ShownCompaction[] {
  const over = ({ covers }: ShownCompaction) => covers.from <= seq && seq <= covers.to;
  const known = new Map(compactions.map((compaction) => [compaction.id, compaction]));
  const path: ShownCompaction[] = [];
  let card = compactions.find((compaction) => compaction.status === 'collapsed' && over(compaction));
  while (card && !path.includes(card)) {
    path.push(card);
    card = card.children.flatMap((id) => known.get(id) ?? []).find(over);
  }
  return path;
}

/** What has to be loaded to have those cards open around an entry. */
export async function readOver(
  sessionId: string,
  cards: readonly ShownCompaction[],
  seq: number,
): Promise<Map<string, Originals>> {
  const empty: Originals = { messages: [], earlier: false, more: false };
  const originals = new Map(cards.map(({ id }) => [id, empty]));
  const leaf = cards.at(-1);
  if (!leaf) return originals;
  const { from, to } = leaf.covers;
  const [before, behind] = await Promise.all([
    readEarlier(sessionId, { from, to: seq }),
    seq < to ? readRange(sessionId, { from: seq + 1, to }) : empty,
  ]);
  const messages = [...before.messages, ...behind.messages];
  return originals.set(leaf.id, { messages, earlier: before.earlier, more: behind.more });
}
