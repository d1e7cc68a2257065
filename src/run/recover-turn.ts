import type { Entry } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { readWaiting } from './accept-input.ts';
import { closingEntries } from './close-turn.ts';
import { nextMove, readNewestTurn, readTurn, type TurnState } from './read-turn.ts';
import { refuseReader } from './refuse-reader.ts';
import type { AgentTool } from './tools/agent-tool.ts';
import type { TurnInput } from './turn-input.ts';
import { type Work, workOf } from './work-of.ts';

export interface Recovery {
  /** What was appended: the part of an answer that had been flushed, and results for tools that nobody knows of. */
  readonly closed: readonly Entry[];
  /** The newest turn, if a crash or a failure has kept it from its end. `continueTurn` goes on with it. */
  readonly unfinished?: Entry;
  /** Inputs that were accepted but had not begun, oldest first. Hand them to `runTurn`. */
  readonly waiting: readonly TurnInput[];
}

export interface RecoverOptions {
  /** Tools that say they may be repeated are left to run again when the turn goes on. */
  readonly tools?: Readonly<Record<string, AgentTool>> | undefined;
}

/**
 * Closes what a crash left open, as `interrupted`. Nothing is run and no model is asked: calls that were never begun, and
 * a question without an answer, are whole as they are and wait for whoever goes on. `runTurn` does this first by itself.
 */
export async function recoverTurn(session: Session, options: RecoverOptions = {}): Promise<Recovery> {
  refuseReader(session);
  const work = workOf(session);
  const place = work.enter();
  await place.ready;
  try {
    return await recover(session, work, options);
  } finally {
    place.leave();
  }
}

export async function recover(
  session: Session,
  work: Work,
  { tools = {} }: RecoverOptions,
): Promise<Recovery> {
  await session.flush();
  await session.refresh();
  const state = readTurn(await readNewestTurn(session));
  const lost = state.open.filter(({ started, toolName }) => started && !tools[toolName]?.repeatable);
  const closing = closingEntries({ ...state, open: lost }, 'crash');
  const closed = closing.length > 0 ? await session.append(closing) : [];
  const waiting = await readWaiting(session, work);
  work.recovered = true;
  return {
    closed,
    ...unfinished(state, closed.length > 0),
    waiting: waiting.map(({ value: { input: id, parts, meta } }) => ({ id, parts, ...(meta && { meta }) })),
  };
}

/** A turn that somebody stopped is over; one that was cut off just now is not. */
function unfinished(state: TurnState, cutOff: boolean): { unfinished?: Entry } {
  const stopped = state.last?.body.status === 'interrupted' && state.last.body.role === 'assistant';
  const open = cutOff || (nextMove(state) !== 'end' && !stopped);
  return open && state.input ? { unfinished: state.input } : {};
}
