import {
  cutRanges,
  type Entry,
  type Mark,
  type SeqRange,
  type SessionInfo,
  type Target,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { compactionsOver, inFrontOf } from './compactions-over.ts';

const LISTS = {
  pinned: 'pinned',
  unpinned: 'pinned',
  excluded: 'excluded',
  included: 'excluded',
  expanded: 'expanded',
  collapsed: 'expanded',
  removed: 'removed',
} as const;

/** Everything that has to be marked so that a mark does what it says: about this target and about what depends on it. */
export async function marksFor(
  store: Store,
  info: SessionInfo,
  { mark, target }: Omit<Mark, 'kind'>,
): Promise<Mark[]> {
  const one = (name: Mark['mark'], about: Target): Mark => ({ kind: 'mark', mark: name, target: about });
  switch (mark) {
    case 'expanded': {
      const above = await openedFor(store, info, target);
      return [...above.map((entry) => one('expanded', { entry })), one('expanded', target)];
    }
    case 'unpinned': {
      const about = await alsoKnownAs(store, info, { mark, target });
      const silent = await silentAbout(store, info, target);
      return [...about.map((each) => one(mark, each)), ...silent.map((entry) => one('removed', { entry }))];
    }
    case 'collapsed':
      return (await alsoKnownAs(store, info, { mark, target })).map((about) => one(mark, about));
    case 'excluded':
    case 'included': {
      const about = mark === 'included' ? await alsoKnownAs(store, info, { mark, target }) : [target];
      const untrue = await untrueAfter(store, info, { mark, target });
      return [...about.map((each) => one(mark, each)), ...untrue.map((entry) => one('removed', { entry }))];
    }
    default:
      return [one(mark, target)];
  }
}

/** A compaction under others comes to light only when those are opened too. */
async function openedFor(store: Store, info: SessionInfo, target: Target): Promise<string[]> {
  const entries =
    'entry' in target
      ? [await store.entry(info.id, target.entry)]
      : await store.read(info.id, { after: target.from - 1, upTo: target.to, only: 'notes' });
  const above = await Promise.all(entries.map((entry) => (entry ? inFrontOf(store, info, entry) : [])));
  return [...new Set(above.flat().map(({ id }) => id))];
}

/** Entries go by number and by id, and a mark by one may be taken off by the other, or in part. */
async function alsoKnownAs(
  store: Store,
  info: SessionInfo,
  { mark, target }: Omit<Mark, 'kind'>,
): Promise<Target[]> {
  const marked = info.state[LISTS[mark]];
  if ('entry' in target) {
    const [seqs] = await seqsOf(store, info, [target]);
    const inside = marked.some((other) => !('entry' in other) && seqs && touches(other, seqs));
    return inside ? [target, seqs!] : [target];
  }
  const named = marked.filter((other) => 'entry' in other);
  const seqs = await Promise.all(named.map((other) => seqsOf(store, info, [other])));
  return [target, ...named.filter((_, index) => seqs[index]!.some((seq) => touches(seq, target)))];
}

/**
 * The compactions whose summaries say what may no longer be said, or leave out what may be said again. They are undone,
 * so that the next compaction tells it as it is then. One that is hidden or shown as a whole stays as it is.
 */
async function untrueAfter(
  store: Store,
  info: SessionInfo,
  { mark, target }: Omit<Mark, 'kind'>,
): Promise<string[]> {
  if (info.state.roots.length === 0) return [];
  const wanted = await seqsOf(store, info, [target], { only: 'message' });
  const excluded = await seqsOf(store, info, info.state.excluded);
  const shown = cutRanges(wanted, excluded);
  const changed = mark === 'excluded' ? shown : cutRanges(wanted, shown);
  const over = await compactionsOver(store, info, changed);
  const whole = ({ from, to }: SeqRange) => changed.some((range) => range.from <= from && range.to >= to);
  return over.filter((root) => !whole(root)).map(({ id }) => id);
}

/**
 * The compactions that were made while this was pinned. It stood in the context word for word then, so their summaries,
 * and those that were made of them, do not speak of it: once it is no longer pinned they are undone as well.
 */
async function silentAbout(store: Store, info: SessionInfo, target: Target): Promise<string[]> {
  if (info.state.roots.length === 0) return [];
  const wanted = await seqsOf(store, info, [target], { only: 'message' });
  const freed = overlap(wanted, await seqsOf(store, info, info.state.pinned));
  const over = await compactionsOver(store, info, freed);
  const silent: SeqRange[] = [];
  for (const root of over) {
    if (root.level > 1) continue;
    const unsaid = overlap(freed, await pinnedBefore(store, info, root.seq));
    if (unsaid.some((range) => touches(range, root))) silent.push(root);
  }
  return over
    .filter(({ from, to }) => silent.some((root) => from <= root.from && to >= root.to))
    .map(({ id }) => id);
}

/** The pins when this entry was written. */
async function pinnedBefore(store: Store, info: SessionInfo, seq: number): Promise<SeqRange[]> {
  let pinned: SeqRange[] = [];
  for (const { body } of await store.read(info.id, { upTo: seq - 1, only: 'notes' })) {
    if (body.kind !== 'mark' || LISTS[body.mark] !== 'pinned') continue;
    const marked = await seqsOf(store, info, [body.target]);
    pinned = body.mark === 'pinned' ? [...pinned, ...marked] : cutRanges(pinned, marked);
  }
  return pinned;
}

function overlap(ranges: readonly SeqRange[], others: readonly SeqRange[]): SeqRange[] {
  return cutRanges(ranges, cutRanges(ranges, others));
}

async function seqsOf(
  store: Store,
  { id }: SessionInfo,
  targets: readonly Target[],
  { only }: { only?: Entry['body']['kind'] } = {},
): Promise<SeqRange[]> {
  const ranges = await Promise.all(
    targets.map(async (target) => {
      if (!('entry' in target)) return [target];
      const entry = await store.entry(id, target.entry);
      const counts = entry && (only === undefined || entry.body.kind === only);
      return counts ? [{ from: entry.seq, to: entry.seq }] : [];
    }),
  );
  return ranges.flat();
}

function touches(a: SeqRange, b: SeqRange): boolean {
  return a.to >= b.from && a.from <= b.to;
}
