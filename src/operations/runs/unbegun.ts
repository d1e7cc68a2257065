import { isThroughlineError } from '../../errors.ts';
import type { TurnFailure } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { failureOf } from '../failure.ts';

/** Why turns that wait were not begun: a store that cannot be written holds no record of it. */
export function createUnbegun() {
  const found = new Map<string, { readonly session: Session; readonly why: TurnFailure }>();
  return {
    note(turn: string, session: Session, error: unknown): void {
      if (isThroughlineError(error, 'not-saved')) found.set(turn, { session, why: failureOf(error) });
    },
    forget(turn: string): void {
      found.delete(turn);
    },
    /** Once there is room for what is in memory, a full disk is the reason no more. */
    why(turn: string): TurnFailure | undefined {
      const known = found.get(turn);
      return known && known.session.unsaved.length > 0 ? known.why : undefined;
    },
  };
}
