import { ThroughlineError } from '../errors.ts';
import type { SessionId } from '../record/index.ts';

export function sessionNotFound(id: SessionId): ThroughlineError {
  return new ThroughlineError('session-not-found', `No session "${String(id).slice(0, 200)}".`, {
    details: { session: id },
  });
}

export function sessionExists(id: SessionId): ThroughlineError {
  return new ThroughlineError(
    'session-exists',
    `There is a session "${id}" already. Open it, or choose another id.`,
    { details: { session: id } },
  );
}

export function sessionIdInvalid(id: unknown): ThroughlineError {
  return new ThroughlineError(
    'session-id-invalid',
    `"${id}" cannot be a session id: use 1 to 128 letters, digits, ".", "_" or "-", and no reserved file name.`,
  );
}

/** `other` is the id of a session, or of one that was purged. */
export function sessionIdCollides(id: SessionId, other: SessionId): ThroughlineError {
  return new ThroughlineError(
    'session-exists',
    `"${id}" cannot be a new id: one of it and "${other}" is the start of the other. Choose another id.`,
    { details: { session: id, other } },
  );
}

export function sessionGone(id: SessionId, purgedAt: number): ThroughlineError {
  return new ThroughlineError(
    'session-gone',
    `Session "${id}" was purged on ${new Date(purgedAt).toISOString()} and is gone for good. Its id is not used again; choose another one.`,
    { details: { session: id, purgedAt } },
  );
}
