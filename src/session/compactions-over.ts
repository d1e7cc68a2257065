import { type Entry, isMarked, type Root, type SeqRange, type SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { childrenOf, seenRoots } from './read-conversation.ts';

/** The compactions shown in place of a compaction, outermost first: it comes to light only when all of these are opened. */
export async function inFrontOf(store: Store, info: SessionInfo, { id, body }: Entry): Promise<Root[]> {
  if (body.kind !== 'compaction') return [];
  const { covers } = body;
  const opened: Root[] = [];
  for (;;) {
    const isOpened = (root: Root) => opened.some((other) => other.id === root.id);
    const seen = await seenRoots(store, info, { isOpened, isClosed: (root) => root.id === id });
    const front = seen.find((root) => root.id !== id && root.from <= covers.from && root.to >= covers.to);
    if (!front) return opened;
    opened.push(front);
  }
}

/** The compactions of every level that cover something of these ranges, without those that were removed. */
export async function compactionsOver(
  store: Store,
  { id, state }: SessionInfo,
  ranges: readonly SeqRange[],
): Promise<Root[]> {
  const found: Root[] = [];
  const waiting = [...state.roots];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { from, to } = next;
    if (!ranges.some((range) => range.to >= from && range.from <= to)) continue;
    if (!isMarked(state.removed, next)) found.push(next);
    waiting.push(...(await childrenOf(store, id, next)));
  }
  return found;
}
