import { ThroughlineError } from '../errors.ts';
import type { Entry, EntryId, Seq, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** The entry with this number or id; `entry-not-found` if the session has none. */
export async function entryAt(
  store: Store,
  { id, head }: SessionInfo,
  position: Seq | EntryId,
): Promise<Entry> {
  const found =
    typeof position === 'number'
      ? (await store.read(id, { after: position - 1, upTo: position, limit: 1 }))[0]
      : await store.entry(id, position);
  if (found) return found;
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${id}" has no entry ${position}. Its entries are numbered 1 to ${head}.`,
    { details: { session: id, entry: position, head } },
  );
}
