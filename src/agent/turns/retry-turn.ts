import { ThroughlineError } from '../../errors.ts';
import type { EntryId } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { continueTurn } from '../continue-turn.ts';
import type { TurnResult } from '../turn-event.ts';
import type { TurnOptions } from '../turn-options.ts';
import { getTurn, newestTurn } from './read-turns.ts';

/**
 * Asks again for the newest turn, which has to be without a whole answer: a turn that was cut, failed or reached its limit.
 * With `turn`, only if that is the newest one. An older turn is history: fork before it to ask it again.
 */
export async function retryTurn(
  session: Session,
  { turn, ...options }: TurnOptions & { readonly turn?: EntryId } = {},
): Promise<TurnResult> {
  await refuseRetry(session, turn);
  return continueTurn(session, options);
}

/** Throws unless the turn, or the newest if none is named, can be asked again. */
export async function refuseRetry(session: Session, turn: EntryId | undefined): Promise<void> {
  const info = await session.refresh();
  const newest = await newestTurn(session.store, info);
  if (turn !== undefined && turn !== newest?.id) {
    const { status } = await getTurn(session.store, info, turn);
    throw new ThroughlineError(
      'usage',
      status === 'waiting'
        ? `Turn ${turn} has not begun: it waits for the turns before it.`
        : `Turn ${turn} is not the newest of session "${session.id}". Fork the session before it to ask it again.`,
      { details: { session: session.id, turn } },
    );
  }
  if (newest?.status === 'complete') {
    throw new ThroughlineError(
      'usage',
      `Turn ${newest.id} of session "${session.id}" has a whole answer. Fork the session before it to ask it again.`,
      { details: { session: session.id, turn: newest.id } },
    );
  }
}
