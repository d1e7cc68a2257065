import type { Searchable } from './library.ts';

/** What a search could not know yet. */
export function sayBehind(behind: Searchable['behind']): string[] {
  if (!behind) return [];
  return [
    `(The index is still being made: ${behind.done} of ${behind.total} entries were read. What is missing here may be found in a minute.)`,
  ];
}
