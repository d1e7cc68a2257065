import { ThroughlineError } from '../errors.ts';
import type { Author, Entry, EntryId, SeqRange, SessionInfo, Target } from '../record/index.ts';
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
  /** `covered`: a higher one stands in for it. `removed`: undone for good. */
  readonly status: 'collapsed' | 'expanded' | 'covered' | 'removed';
}

export async function listCompactions(store: Store, info: SessionInfo): Promise<CompactionDescription[]> {
  const notes = await store.read(info.id, { only: 'notes' });
  return notes
    .filter(({ body }) => body.kind === 'compaction')
    .map((entry, index) => describe(entry, index + 1, info));
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
  { id, seq, at, body }: Entry,
  number: number,
  { state }: SessionInfo,
): CompactionDescription {
  if (body.kind !== 'compaction') throw new Error('bug: not a compaction');
  const { level, covers, children, tokensBefore, tokensAfter, by, retention } = body;
  const marked = (targets: readonly Target[]) =>
    targets.some((target) =>
      'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
    );
  const covered = !state.roots.some((root) => root.id === id);
  const status = marked(state.removed)
    ? 'removed'
    : marked(state.expanded)
      ? 'expanded'
      : covered
        ? 'covered'
        : 'collapsed';
  return { id, number, level, covers, children, tokensBefore, tokensAfter, by, retention, at, status };
}
