import type { EntryId, Seq, SeqRange, SessionId, SessionState, Target } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** What a mark is asked about: an entry, by both its names. */
export interface Named {
  readonly id: EntryId;
  readonly seq: Seq;
}

/** What a person took out of the conversation is not handed to a model by another way either. */
export function isHidden(
  { excluded, removed }: Pick<SessionState, 'excluded' | 'removed'>,
  entry: Named,
): boolean {
  return isMarked([...excluded, ...removed], entry);
}

/** Asks the sessions themselves, each once. */
export function createOpenCheck(store: Store): (session: SessionId, entry: Named) => Promise<boolean> {
  const states = new Map<SessionId, SessionState | undefined>();
  return async (session, entry) => {
    if (!states.has(session)) states.set(session, (await store.session(session))?.state);
    const state = states.get(session);
    return state !== undefined && !isHidden(state, entry);
  };
}

export function isMarked(targets: readonly Target[], { id, seq }: Named): boolean {
  return targets.some((target) =>
    'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
  );
}

/** The ranges without the seqs that targets name by number, oldest first. */
export function withoutTargets(ranges: readonly SeqRange[], targets: readonly Target[]): SeqRange[] {
  const holes = targets.flatMap((target) => ('entry' in target ? [] : [target]));
  return holes.reduce<readonly SeqRange[]>(
    (left, hole) => left.flatMap((range) => withoutHole(range, hole)),
    ranges,
  ) as SeqRange[];
}

function withoutHole({ from, to }: SeqRange, hole: SeqRange): SeqRange[] {
  if (hole.to < from || hole.from > to) return [{ from, to }];
  return [
    ...(hole.from > from ? [{ from, to: hole.from - 1 }] : []),
    ...(hole.to < to ? [{ from: hole.to + 1, to }] : []),
  ];
}
