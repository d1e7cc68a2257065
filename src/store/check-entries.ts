import { ThroughlineError } from '../errors.ts';

/** Refuses what can be no list of entries, before any of it is read. */
export function checkEntries(entries: unknown): void {
  if (!Array.isArray(entries))
    throw new ThroughlineError('usage', 'append takes a list of entries, also for one: append([entry]).');
  const none = entries.find((entry) => !isObject(entry) || ('body' in entry && !isObject(entry.body)));
  if (none === undefined && !entries.includes(undefined)) return;
  throw new ThroughlineError(
    'entry-invalid',
    `Not appended: ${JSON.stringify(none)} is no entry. Give its body, or { id, at, body }.`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
