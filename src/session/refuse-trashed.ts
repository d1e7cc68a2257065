import { ThroughlineError } from '../errors.ts';
import type { SessionInfo } from '../record/index.ts';

/** Nothing new is asked in the trash: an answer there would be purged with it, unseen. */
export function refuseTrashed({ id, state: { trashedAt } }: SessionInfo): void {
  if (trashedAt === undefined) return;
  throw new ThroughlineError(
    'session-trashed',
    `Session "${id}" has been in the trash since ${new Date(trashedAt).toISOString()}. Restore it before you go on in it, or fork it.`,
    { details: { session: id, trashedAt } },
  );
}
