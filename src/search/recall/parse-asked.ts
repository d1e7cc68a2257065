import { ThroughlineError } from '../../errors.ts';
import { type EntryId, type Seq, toEntryId } from '../../record/index.ts';

// What models write into the fields of a tool: taken as it is meant, refused in words that say how to write it.

/** The number or the id of an entry: 40, "40", "#40". */
export function parseEntry(entry: number | string): Seq | EntryId {
  const text = String(entry).trim().replace(/^#/, '');
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  const id = toEntryId(text);
  if (id !== undefined) return id;
  throw usage(`"${text.slice(0, 60)}" is neither the number nor the id of an entry.`);
}

interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** A day counts to its end. Days are those of no place in particular (UTC), as in the labels of hits. */
export function parseSpan({ since, until }: { readonly [Field in keyof Span]?: string | undefined }): Span {
  return {
    ...(since !== undefined && { since: timeIn('since', since) }),
    ...(until !== undefined && { until: timeIn('until', until) + (isDay(until) ? DAY_MS - 1 : 0) }),
  };
}

function timeIn(field: string, text: string): number {
  const time = Date.parse(text.trim());
  if (Number.isNaN(time))
    throw usage(
      `"${field}": "${text.slice(0, 40)}" is no time. Write it as 2025-05-08 or 2025-05-08T14:00:00Z.`,
    );
  return time;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
}

const DAY_MS = 86_400_000;

function usage(message: string): ThroughlineError {
  return new ThroughlineError('usage', message);
}
