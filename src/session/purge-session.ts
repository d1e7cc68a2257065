import { ThroughlineError } from '../errors.ts';
import type { SessionInfo } from '../record/index.ts';
import type { PurgeReport, Store } from '../store/index.ts';
import { removeMirror } from './mirror-file.ts';
import { getSession } from './session-handle.ts';

/** Deletes a session for good, with the transcript that a chat keeps of it. Only from the trash, so that one slip loses nothing. */
export async function purgeSession(store: Store, { id }: SessionInfo): Promise<PurgeReport> {
  // Asked anew: it may have been taken out of the trash since the caller looked.
  const { state } = await getSession(store, id);
  if (state.trashedAt === undefined) {
    throw new ThroughlineError(
      'session-not-trashed',
      `Session "${id}" is not in the trash, and purging cannot be undone. Put it there first.`,
      { details: { session: id } },
    );
  }
  // Before it, so that nothing is left of it whose purge was cut short: the session is still in the trash then, can be
  // purged again, and its transcript is written anew should it ever be chatted in.
  await removeMirror(store, id);
  return store.purge(id);
}
