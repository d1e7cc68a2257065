/** Messages `from` to `to` by their numbers in the index, both included. */
export interface DocRange {
  readonly from: number;
  readonly to: number;
}

/** A set of messages as ranges: sorted, apart from each other, asked by bisection. */
export interface DocRanges {
  readonly ranges: readonly DocRange[];
  has(doc: number): boolean;
}

export function docRanges(parts: readonly DocRange[]): DocRanges {
  const ranges: { from: number; to: number }[] = [];
  for (const { from, to } of parts.filter((part) => part.from <= part.to).sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return { ranges, has: (doc) => isWithin(ranges, doc) };
}

/** The intersection. */
export function intersectRanges(a: DocRanges, b: DocRanges): DocRanges {
  const shared: DocRange[] = [];
  for (let i = 0, j = 0; i < a.ranges.length && j < b.ranges.length; ) {
    const [left, right] = [a.ranges[i]!, b.ranges[j]!];
    shared.push({ from: Math.max(left.from, right.from), to: Math.min(left.to, right.to) });
    if (left.to < right.to) i++;
    else j++;
  }
  return docRanges(shared);
}

function isWithin(ranges: readonly DocRange[], doc: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.to < doc) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]!.from <= doc;
}
