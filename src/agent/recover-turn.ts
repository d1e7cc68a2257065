import type { CutBy, Entry, EntryId } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { readWaiting, type TurnInput } from './accept-input.ts';
import { closingEntries, endNote } from './close-turn.ts';
import { cutByOf, cutWithoutEnd, nextMove, readNewestTurn, readTurn, type TurnState } from './read-turn.ts';
import type { AgentTool } from './tools/agent-tool.ts';
import { refuseReader, type TurnQueue, turnQueueOf } from './turn-queue.ts';
import { type TurnRecord, turnRecord, wasRun } from './turns/turn-record.ts';

export interface Recovery {
  /** The appended entries: the flushed part of an answer, and results for tools with an unknown outcome. */
  readonly closed: readonly Entry[];
  /**
   * The question of the newest turn, if that has no whole answer, whatever cut it: a crash, a stop, a provider or a
   * person. `continueTurn` goes on with it.
   */
  readonly unfinished?: Entry;
  /** That turn: its status, and why it ended. */
  readonly turn?: TurnRecord;
  /** Inputs that were accepted but had not begun, oldest first. Hand them to `runTurn`. */
  readonly waiting: readonly TurnInput[];
}

export interface RecoverOptions {
  /** For logs of earlier versions, which do not say of a tool that was begun whether it may be repeated. */
  readonly tools?: Readonly<Record<string, AgentTool>> | undefined;
}

/**
 * Closes what a crash left open, as `interrupted`. Nothing is run and no model is asked: calls that were never begun, and a
 * question without an answer, are whole as they are and wait until the turn goes on. `runTurn` does this first.
 */
export async function recoverTurn(session: Session, options: RecoverOptions = {}): Promise<Recovery> {
  refuseReader(session);
  const work = turnQueueOf(session);
  const place = work.enter();
  await place.ready;
  try {
    return await recover(session, work, options);
  } finally {
    place.leave();
  }
}

/** `goingOn`: the turn is gone on with at once, so it has not ended, and the log is that of a turn without a cut. */
export async function recover(
  session: Session,
  work: TurnQueue,
  { tools = {}, goingOn }: RecoverOptions & { readonly goingOn?: EntryId },
): Promise<Recovery> {
  await session.flush();
  await session.refresh();
  const entries = await readNewestTurn(session);
  const state = readTurn(entries);
  // Tools that may be repeated are left to run again when the turn goes on.
  const lost = state.open.filter(
    ({ started, toolName }) => started && !(started.repeatable ?? tools[toolName]?.repeatable),
  );
  const by = cutWithoutEnd(entries, session.info);
  const closing = closingEntries({ ...state, open: lost }, by);
  const { input } = state;
  const isOver = (closing.length > 0 || wasRun(entries)) && !state.ended && input?.id !== goingOn;
  const isCut = input && isOver && (closing.length > 0 || nextMove(state) !== 'end');
  const note = isCut ? [endNote(input.id, { status: 'interrupted', by: cutBy(state) ?? by })] : [];
  const appended = closing.length + note.length > 0 ? await session.append([...closing, ...note]) : [];
  const waiting = await readWaiting(session, work);
  work.recovered = true;
  const turn = input && turnRecord(session.info, [...entries, ...appended], { isRunning: false });
  return {
    closed: appended.slice(0, closing.length),
    ...(turn && turn.status !== 'complete' && { unfinished: input, turn }),
    waiting: waiting.map(({ value: { input: id, parts, meta } }) => ({ id, parts, ...(meta && { meta }) })),
  };
}

/** An answer that was cut says by what. */
function cutBy({ last, partial }: TurnState): CutBy | undefined {
  return last && partial === undefined ? cutByOf(last.body) : undefined;
}
