import type { EntryId } from '../record/index.ts';
import type { LeftOut } from './context.ts';

interface Named {
  readonly id: EntryId;
}

/** Adds up what the request does not hold, by kind and reason. */
export interface LeftOutTally {
  add(what: string, reason: string, entries: Named | readonly Named[], tokens?: number): void;
  list(): LeftOut[];
}

export function createLeftOutTally(): LeftOutTally {
  const rows = new Map<string, { what: string; reason: string; entries: Set<string>; tokens: number }>();
  return {
    add(what, reason, entries, tokens = 0) {
      const key = `${what}: ${reason}`;
      let row = rows.get(key);
      if (!row) {
        row = { what, reason, entries: new Set(), tokens: 0 };
        rows.set(key, row);
      }
      for (const { id } of [entries].flat() as readonly Named[]) row.entries.add(id);
      row.tokens += tokens;
    },
    list: () =>
      [...rows.values()].map(({ what, reason, entries, tokens }) => ({
        what,
        entries: entries.size,
        tokens,
        reason,
      })),
  };
}
