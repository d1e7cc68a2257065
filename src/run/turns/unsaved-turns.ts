import type { EntryId, TurnFailure } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { failureOf } from '../close-turn.ts';

/** Turns that ended because the store could not be written: while that lasts, this process alone knows why. */
const found = new Map<Session, Map<EntryId, TurnFailure>>();

export function noteUnsaved(session: Session, turn: EntryId, error: unknown): void {
  forgetSaved();
  if (session.unsaved.length === 0) return;
  found.set(session, (found.get(session) ?? new Map()).set(turn, failureOf(error)));
}

/** It is run again, or waits again. */
export function forgetUnsaved(session: Session, turn: EntryId): void {
  found.get(session)?.delete(turn);
}

/** Why the turn has no record of its end. Once there is room for what is in memory, the log tells. */
export function whyUnsaved(store: Store, id: Session['id'], turn: EntryId): TurnFailure | undefined {
  forgetSaved();
  for (const [session, turns] of found) {
    const why = session.id === id && session.store === store ? turns.get(turn) : undefined;
    if (why) return why;
  }
  return undefined;
}

function forgetSaved(): void {
  for (const session of found.keys()) if (session.unsaved.length === 0) found.delete(session);
}
