import { deriveEntryId, type Entry, type EntryBody, type NewEntry, newEntryId } from '../record/index.ts';
import { countMessage } from '../tokens/index.ts';

/** The bodies as a writer hands them in. They have ids, so appending the same conversation twice is a repeat. */
export function conversation(...bodies: readonly EntryBody[]): NewEntry[] {
  return bodies.map((body) => ({ id: newEntryId(), body }));
}

const START = Date.UTC(2025, 11, 30, 11, 21, 53);

/** The bodies as a log returns them: numbered from 1, a second apart, the same ids every time. For pure functions. */
export function logOf(...bodies: readonly EntryBody[]): Entry[] {
  return bodies.map((body, index) => ({
    id: deriveEntryId('log', String(index + 1)),
    seq: index + 1,
    at: START + index * 1000,
    tokens: tokensOf(body),
    body,
  }));
}

function tokensOf(body: EntryBody): number {
  if (body.kind === 'message') return countMessage(body);
  return body.kind === 'compaction' ? body.tokensAfter : 0;
}
