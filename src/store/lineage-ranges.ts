import type { Seq } from '../record/index.ts';

/** A session in a lineage and the seqs of it that the youngest one sees: its own, up to where the next forked off. */
export interface Segment<Key> {
  readonly key: Key;
  /** Exclusive: the parent's part ends here. */
  readonly after: Seq;
  readonly upTo: Seq;
}

/** Which part of which session a range of seqs lies in. `lineage` and the result are oldest first. */
export function lineageRanges<Key>(
  lineage: readonly Segment<Key>[],
  { after = 0, upTo = Number.POSITIVE_INFINITY }: { after?: Seq; upTo?: Seq },
): Segment<Key>[] {
  return lineage
    .map((segment) => ({
      ...segment,
      after: Math.max(segment.after, after),
      upTo: Math.min(segment.upTo, upTo),
    }))
    .filter((segment) => segment.after < segment.upTo);
}
