import { ThroughlineError } from '../errors.ts';
import type { EntryId, SessionId, SessionInfo } from '../record/index.ts';
import { type Store, sessionIdInvalid } from '../store/index.ts';

/**
 * The session with exactly this id; `session-not-found`, or `session-gone` if it was purged. An id is never taken for a
 * prefix, a title or a number: that is `findSession`. Only a UUID may be given in either case.
 */
export async function getSession(store: Store, id: SessionId): Promise<SessionInfo> {
  // A user without a name would be given a session of its own, or everybody's.
  if (typeof id !== 'string') throw sessionIdInvalid(id);
  for (;;) {
    const info = await store.session(id);
    if (info) return info;
    // The store knows whether it was purged. If this does not throw, the session was created since.
    await store.read(id, { limit: 0 });
  }
}

/**
 * Nothing new is asked in the trash: an answer there would be purged with it, unseen. `stored`: the message that is refused
 * its turn, where the session holds it already.
 */
export function refuseTrashed(info: SessionInfo, options: { stored?: EntryId | undefined } = {}): void {
  const error = trashedError(info, options);
  if (error) throw error;
}

/** Why nothing is asked in the session, if it is in the trash. */
export function trashedError(
  { id, state: { trashedAt } }: SessionInfo,
  { stored }: { stored?: EntryId | undefined } = {},
): ThroughlineError | undefined {
  if (trashedAt === undefined) return undefined;
  const advice =
    stored === undefined
      ? 'Restore it before you go on in it, or fork it.'
      : `Message ${stored} is kept in it, without an answer: restore the session and go on with it.`;
  return new ThroughlineError(
    'session-trashed',
    `Session "${id}" has been in the trash since ${new Date(trashedAt).toISOString()}. ${advice}`,
    { details: { session: id, trashedAt, ...(stored !== undefined && { stored }) } },
  );
}
