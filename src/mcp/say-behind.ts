import type { IndexProgress } from '../recall/index.ts';

/** A note that the index is not complete yet. */
export function sayBehind(behind: IndexProgress | null): string[] {
  if (!behind) return [];
  return [
    `(The index is still being made: ${behind.done} of ${behind.total} entries were read. What is missing here may be found in a minute.)`,
  ];
}
