import { ThroughlineError } from '../errors.ts';
import { isSessionId } from '../record/index.ts';
import { isTime } from './entry-format.ts';
import { sessionIdInvalid } from './session-errors.ts';
import type { NewSession } from './store.ts';

/** Throws when no backend could keep a session like this. */
export function checkNewSession({ id, createdAt }: NewSession): void {
  if (!isSessionId(id)) throw sessionIdInvalid(id);
  if (createdAt !== undefined && !isTime(createdAt)) {
    throw new ThroughlineError(
      'entry-invalid',
      `Session "${id}" was not created: ${createdAt} is not a time in whole milliseconds since 1970.`,
      { details: { session: id } },
    );
  }
}
