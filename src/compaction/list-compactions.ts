import { ThroughlineError } from '../errors.ts';
import {
  type Author,
  type Entry,
  type EntryId,
  isMarked,
  type Root,
  type SeqRange,
  type SessionInfo,
} from '../record/index.ts';
import { seenRoots } from '../session/index.ts';
import type { Store } from '../store/index.ts';

/** A compaction as lists show it. */
export interface CompactionDescription {
  readonly id: EntryId;
  /** Counts from 1 in the order they were made; people may type it instead of the id. */
  readonly number: number;
  readonly level: number;
  readonly covers: SeqRange;
  readonly children: readonly EntryId[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly by: Author;
  readonly retention: number;
  readonly at: number;
  /** `collapsed`: the model sees its summary. `covered`: a higher one stands in for it. `removed`: undone for good. */
  readonly status: 'collapsed' | 'expanded' | 'covered' | 'removed';
}

export async function listCompactions(store: Store, info: SessionInfo): Promise<CompactionDescription[]> {
  const notes = await store.read(info.id, { only: 'notes' });
  const seen = await seenRoots(store, info);
  return notes
    .filter(({ body }) => body.kind === 'compaction')
    .map((entry, index) => describe(entry, index + 1, { info, seen }));
}

/** The compaction that a person means: its number, its id, or the start of it. Never a guess. */
export async function findCompaction(
  store: Store,
  info: SessionInfo,
  reference: string,
): Promise<CompactionDescription> {
  const all = await listCompactions(store, info);
  const fitting = all.filter(
    ({ id, number }) => String(number) === reference || (reference.length > 3 && id.startsWith(reference)),
  );
  if (fitting.length === 1) return fitting[0]!;
  const known =
    all.length === 0
      ? 'It has none'
      : `It has ${all.length}: name one by its number, 1 to ${all.length}, or by its id`;
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${info.id}" has no compaction "${reference}". ${known}.`,
    {
      details: { session: info.id, compactions: all.map(({ id }) => id) },
    },
  );
}

function describe(
  entry: Entry,
  number: number,
  { info, seen }: { info: SessionInfo; seen: readonly Root[] },
): CompactionDescription {
  const { id, at, body } = entry;
  if (body.kind !== 'compaction') throw new Error('bug: not a compaction');
  const { level, covers, children, tokensBefore, tokensAfter, by, retention } = body;
  const status = statusOf({ id, seq: entry.seq, level, ...covers }, { info, seen });
  return { id, number, level, covers, children, tokensBefore, tokensAfter, by, retention, at, status };
}

/** What the model sees decides, not the marks alone: one that is expanded shows nothing while a higher one is collapsed. */
function statusOf(
  root: Root,
  { info, seen }: { info: SessionInfo; seen: readonly Root[] },
): CompactionDescription['status'] {
  if (isMarked(info.state.removed, root)) return 'removed';
  if (seen.some(({ id }) => id === root.id)) return 'collapsed';
  const isBehind = seen.some(({ from, to }) => from <= root.from && to >= root.to);
  return isMarked(info.state.expanded, root) && !isBehind ? 'expanded' : 'covered';
}
