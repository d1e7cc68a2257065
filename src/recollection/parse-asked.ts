import { ThroughlineError } from '../errors.ts';
import { type EntryId, type Seq, toEntryId } from '../record/index.ts';

// What models write into the fields of a tool: taken as it is meant, refused in words that say how to write it.

/** The number or the id of an entry: 40, "40", "#40". */
export function parseEntry(entry: number | string): Seq | EntryId {
  const text = String(entry).trim().replace(/^#/, '');
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  const id = toEntryId(text);
  if (id !== undefined) return id;
  throw usage(`"${text.slice(0, 60)}" is neither the number nor the id of an entry.`);
}

/** The first moment of a time. Days are those of no place in particular (UTC), as the labels of what is found have them. */
export function startOf(text: string): number {
  const time = Date.parse(text.trim());
  if (Number.isNaN(time))
    throw usage(`"${text.slice(0, 40)}" is no time. Write it as 2025-05-08 or 2025-05-08T14:00:00Z.`);
  return time;
}

/** The last moment of it: a day counts to its end. */
export function endOf(text: string): number {
  return startOf(text) + (/^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? DAY_MS - 1 : 0);
}

const DAY_MS = 86_400_000;

function usage(message: string): ThroughlineError {
  return new ThroughlineError('usage', message);
}
