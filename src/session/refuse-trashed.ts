import { ThroughlineError } from '../errors.ts';
import type { EntryId, SessionInfo } from '../record/index.ts';

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
