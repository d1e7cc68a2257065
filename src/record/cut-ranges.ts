import type { SeqRange } from './compaction.ts';

/** The ranges without the seqs of the holes, in the same order. */
export function cutRanges(ranges: readonly SeqRange[], holes: readonly SeqRange[]): SeqRange[] {
  return holes.reduce<SeqRange[]>((left, hole) => left.flatMap((range) => cut(range, hole)), [...ranges]);
}

function cut({ from, to }: SeqRange, hole: SeqRange): SeqRange[] {
  if (hole.to < from || hole.from > to) return [{ from, to }];
  return [
    ...(hole.from > from ? [{ from, to: hole.from - 1 }] : []),
    ...(hole.to < to ? [{ from: hole.to + 1, to }] : []),
  ];
}
