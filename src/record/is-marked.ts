import type { SeqRange } from './compaction.ts';
import type { Entry } from './entry.ts';
import type { EntryId } from './entry-id.ts';
import type { Target } from './marks.ts';
import type { SessionState } from './session-state.ts';

/** An entry, or the root of a compaction; without a body it counts by its number. */
export type Markable = Pick<Entry, 'id' | 'seq'> & { readonly body?: Entry['body'] };

interface MarkReach {
  /**
   * How a range reaches a compaction: `by-number`, where the compaction was written; `by-cover`, if the marked ranges
   * hold everything that it covers; `by-id`, not at all, so that only its id does.
   */
  readonly compactions?: 'by-number' | 'by-cover' | 'by-id';
}

/** True if a target names the entry, by its id or by a range. Both ends of a range count. */
export function isMarked(
  targets: readonly Target[],
  { id, seq, body }: Markable,
  { compactions = 'by-number' }: MarkReach = {},
): boolean {
  if (targets.length === 0) return false;
  const { ids, ranges } = sortedTargets(targets);
  if (ids.has(id)) return true;
  if (body?.kind !== 'compaction' || compactions === 'by-number')
    return holds(ranges, { from: seq, to: seq });
  return compactions === 'by-cover' && holds(ranges, body.covers);
}

/**
 * True for an entry that no model is given: excluded or removed. The summary of messages that are all excluded, or all
 * removed, is hidden with them; where the summary was written does not matter.
 */
export function isHidden(
  { excluded, removed }: Pick<SessionState, 'excluded' | 'removed'>,
  entry: Markable,
): boolean {
  return isMarked(excluded, entry, BY_COVER) || isMarked(removed, entry, BY_COVER);
}

/** True for an entry that is sent word for word. A range pins messages, and no summary that was written among them. */
export function isPinned({ pinned }: Pick<SessionState, 'pinned'>, entry: Markable): boolean {
  return isMarked(pinned, entry, { compactions: 'by-id' });
}

const BY_COVER = { compactions: 'by-cover' } as const;

interface SortedTargets {
  readonly ids: ReadonlySet<EntryId>;
  /** Sorted, with ranges that touch made one. */
  readonly ranges: readonly SeqRange[];
}

/** The lists of a state are replaced and never changed in place, so each is sorted once. */
const sorted = new WeakMap<readonly Target[], SortedTargets>();

function sortedTargets(targets: readonly Target[]): SortedTargets {
  const known = sorted.get(targets);
  if (known) return known;
  const made = {
    ids: new Set(targets.flatMap((target) => ('entry' in target ? [target.entry] : []))),
    ranges: joined(targets.flatMap((target) => ('entry' in target ? [] : [target]))),
  };
  sorted.set(targets, made);
  return made;
}

function joined(ranges: readonly SeqRange[]): SeqRange[] {
  const result: SeqRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

function holds(ranges: readonly SeqRange[], { from, to }: SeqRange): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  const last = ranges[low - 1];
  return last !== undefined && last.to >= to;
}
