import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { EntryId } from '../record/index.ts';
import type { Session } from '../session/index.ts';

/** Whether a message waits for the disk, as an entry or as the note of one that waits for its turn. */
export function isUnsaved({ unsaved }: Session, message: EntryId): boolean {
  return unsaved.some(
    ({ id, body }) =>
      id === message ||
      (body.kind === 'run' &&
        (body.step === 'waiting' || body.step === 'steering') &&
        body.input === message),
  );
}

/**
 * A caller whose message met a full disk has to know whether it may send it again: one that is stored or waits in memory would be
 * answered twice under another id.
 */
export async function sayKept(session: Session, message: EntryId, error: unknown): Promise<unknown> {
  if (!isThroughlineError(error, 'not-saved')) return error;
  const kept = isUnsaved(session, message)
    ? 'memory'
    : (await session.store.entry(session.id, message).catch(() => undefined))
      ? 'store'
      : 'nowhere';
  const words = {
    memory: `Message ${message} is one of them: it is kept, and has no answer yet. Send it again only under this id.`,
    store: `Message ${message} is stored and has no whole answer yet. Send it again only under this id.`,
    nowhere: `Message ${message} was not kept: send it again then.`,
  };
  return new ThroughlineError('not-saved', `${error.message} ${words[kept]}`, {
    cause: error.cause,
    details: { ...error.details, message, kept },
  });
}
