import type { TurnAnswerRecord } from '../../src/operations/records/turn-record.ts';
import type { LiveTurn } from './live-turn.ts';

/** How the newest turn ended without a whole answer, in words, and what can be done about it. */
export interface TurnEnd {
  readonly turn: string;
  readonly says: string;
  readonly failed: boolean;
  readonly action: 'Ask again' | 'Go on';
}

const CUT = {
  person: 'You stopped this answer.',
  shutdown: 'The server stopped before the answer was complete.',
  crash: 'The process ended before the answer was complete.',
} as const;

/**
 * By the record of the newest turn. Until that has been read again behind the end of a turn that was heard live, it is of an
 * older turn or try, and only a failure that was heard counts. If the server could not write to its disk, the record cannot
 * have it, and the received event counts on: also when the message that waits behind this turn failed after it, for the same
 * reason. Pure.
 */
export function turnEnd(turn: TurnAnswerRecord | undefined, live: LiveTurn | undefined): TurnEnd | undefined {
  if (live?.running) return undefined;
  const says = turn && sayEnd(turn);
  if (live?.failure) {
    const isUnwritten = UNWRITTEN.has(live.failure.code);
    const isSame = turn === undefined || turn.id === live.turn;
    // The turn that the record has unfinished is asked again; what waits behind it is answered after it.
    if (isUnwritten && says !== undefined) return failed(turn!.id, live.failure.message);
    if (isUnwritten || !live.lookedUp || (isSame && says === undefined))
      return failed(live.turn, live.failure.message);
  }
  if (says === undefined || live?.lookedUp === false) return undefined;
  if (turn!.status === 'failed') return failed(turn!.id, says);
  const action = turn!.status === 'step-limit' ? 'Go on' : 'Ask again';
  return { turn: turn!.id, says, failed: false, action };
}

/** Failures of the store itself. */
const UNWRITTEN: ReadonlySet<string> = new Set(['not-saved', 'store-full', 'store-unwritable']);

/** Why a turn has no whole answer; `undefined` if it has one, or runs or waits. */
export function sayEnd({ status, error, cutBy, answer }: TurnAnswerRecord): string | undefined {
  if (status === 'failed') return error?.message ?? 'The answer failed.';
  if (status === 'step-limit') return 'The agent reached its limit of steps.';
  if (status !== 'interrupted') return undefined;
  if (error !== null) return error.message;
  if (cutBy !== null && cutBy !== 'provider') return CUT[cutBy];
  // The log of another program does not tell what cut an answer.
  return answer === null ? 'This question has no answer yet.' : 'This answer is not complete.';
}

/** A turn that runs where this page hears nothing of it: in another program, or it was joined a moment ago. */
export function runsElsewhere(turn: TurnAnswerRecord | undefined, live: LiveTurn | undefined): boolean {
  if (live?.running || live?.lookedUp === false) return false;
  return turn?.status === 'running' && live?.turn !== turn.id;
}

function failed(turn: string, says: string): TurnEnd {
  return { turn, says, failed: true, action: 'Ask again' };
}
