import type { Entry, Target } from '../record/index.ts';

/**
 * Tells whether an entry is marked. With `covered`, a range also marks a compaction when all that it covers lies in the
 * range: who excludes messages does not want to read their summary. Where it was written never matters.
 */
export function createMatcher(
  targets: readonly Target[],
  { covered = false }: { covered?: boolean } = {},
): (entry: Entry) => boolean {
  if (targets.length === 0) return () => false;
  const ids = new Set(targets.flatMap((target) => ('entry' in target ? [target.entry] : [])));
  const ranges = joined(targets.flatMap((target) => ('entry' in target ? [] : [target])));
  return (entry) => {
    if (ids.has(entry.id)) return true;
    const summary = entry.body.kind === 'compaction' ? entry.body : undefined;
    if (ranges.length === 0 || (summary && !covered)) return false;
    const { from, to } = summary?.covers ?? { from: entry.seq, to: entry.seq };
    const range = ranges[lastStartingBy(ranges, from)];
    return range !== undefined && range.to >= to;
  };
}

interface Range {
  from: number;
  to: number;
}

/** Sorted, with ranges that touch made one. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

function lastStartingBy(ranges: readonly Range[], seq: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.from <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
