import type { TurnRecord } from '../../src/rpc/methods/index.ts';
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
  provider: 'The provider ended the answer before it was complete.',
} as const;

/**
 * By the record of the newest turn. A failure that was heard live counts until that record has been read again, and if the
 * server could not write it down. Pure.
 */
export function turnEnd(turn: TurnRecord | undefined, live: LiveTurn | undefined): TurnEnd | undefined {
  if (live?.running) return undefined;
  const heard = live?.failure && (turn === undefined || turn.id === live.turn) ? live : undefined;
  switch (turn?.status) {
    case 'failed':
      return failed(turn.id, turn.error?.message);
    case 'step-limit':
      return { turn: turn.id, says: 'The agent reached its limit of steps.', failed: false, action: 'Go on' };
    case 'interrupted':
      return { turn: turn.id, says: sayCut(turn), failed: false, action: 'Ask again' };
    default:
      return heard && failed(heard.turn, heard.failure?.message);
  }
}

/** A turn that runs where this page hears nothing of it: in another program, or it was joined a moment ago. */
export function runsElsewhere(turn: TurnRecord | undefined, live: LiveTurn | undefined): boolean {
  return turn?.status === 'running' && !live?.running && live?.turn !== turn.id;
}

function failed(turn: string, message = 'The answer failed.'): TurnEnd {
  return { turn, says: message, failed: true, action: 'Ask again' };
}

/** The log of another program does not tell what cut an answer. */
function sayCut({ cutBy, answer }: TurnRecord): string {
  if (cutBy !== null) return CUT[cutBy];
  return answer === null ? 'This question has no answer yet.' : 'This answer is not complete.';
}
