import type { FoundLog } from './find-rows.ts';

export type PlacedEntry = FoundLog['entries'][number];

export interface LogLayout {
  /** In order, each number once, none at or before `after`. */
  readonly entries: readonly PlacedEntry[];
  /** The last entry that there was, whether or not it was found. */
  readonly upTo: number;
  /** Entries that cannot have had the number they are filed under, or not that alone. */
  readonly strays: readonly PlacedEntry[];
}

export interface LogEvidence {
  /** Where the parent's part ends. */
  readonly after: number;
  /** The last number, as the session's row has it. */
  readonly head: number;
  /** Numbers under which something was found that cannot be read. */
  readonly damaged: ReadonlySet<number>;
  /** How many entries can have been lost at most. */
  readonly room: number;
  /** Whether two places hold the same entry. */
  readonly same: (a: PlacedEntry, b: PlacedEntry) => boolean;
}

/**
 * Puts entries where their numbers say. The number is not covered by the checksum, so it is believed only as far as it
 * can be true: one damaged digit must not make a log of a billion lost entries.
 */
export function layOutLog(
  found: readonly PlacedEntry[],
  { after, head, damaged, room, same }: LogEvidence,
): LogLayout {
  const entries: PlacedEntry[] = [];
  const strays: PlacedEntry[] = [];
  let upTo = after;
  for (const entry of found.toSorted((a, b) => a.seq - b.seq)) {
    const last = entries.at(-1);
    if (last?.seq === entry.seq) {
      if (!same(last, entry)) strays.push(entry);
    } else if (entry.seq <= after || entry.seq - upTo > room + 1) strays.push(entry);
    else {
      entries.push(entry);
      upTo = entry.seq;
    }
  }
  if (head > upTo && head - upTo <= room) upTo = head;
  while (damaged.has(upTo + 1)) upTo++;
  return { entries, upTo, strays };
}
