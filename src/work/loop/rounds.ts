import type { Move } from '../../project/index.ts';
import { type Loop, type NewEntry, type SessionInfo, settingEntry } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { Desk } from '../desk.ts';
import type { SessionView } from '../request/session-view.ts';

// A task leaves the state of its session when the loop has passed, and a tester may send it back. Each such return begins
// a round: at least one more iteration, with the reason of the move as the last error. The setting `round` names the
// return that was taken up, so a loop that is run again, or goes on after a kill, does not take it up twice.

/** The newest return of the task to the state of the session, if no round has begun with it. */
export async function newReturn(
  desk: Desk,
  { state }: Pick<SessionInfo, 'state'>,
): Promise<Move | undefined> {
  const { work, round } = state.settings;
  if (work?.task === undefined) return undefined;
  const moves = (await desk.board()).features.get(work.feature)?.tasks.get(work.task)?.moves ?? [];
  const left = moves.findIndex(({ from }) => from === work.state);
  const newest = left < 0 ? undefined : moves.slice(left + 1).findLast(({ to }) => to === work.state);
  return newest?.entry === round?.move ? undefined : newest;
}

/** Iterations of the rounds before the present one; a round has the whole number of iterations to itself. */
export function iterationsBefore({ info: { state } }: Session): number {
  return state.settings.round?.after ?? 0;
}

export function roundEntry({ entry: move }: Move, { after }: { after: number }): NewEntry {
  return settingEntry('round', { move, after }, { by: 'auto' });
}

/** The outcome with the return as a check that failed: named after the state that the task came back from. */
export function withReturn(loop: Loop, { from, to, reason }: Move): Loop {
  const lastError = reason ?? loop.lastError ?? `The task was sent back from "${from}" to "${to}".`;
  return { ...loop, failed: [...loop.failed, from], lastError };
}

/** Where the loop of a session stands for its next request: a return that no round has begun with is a check that failed. */
export async function loopNow(desk: Desk, { info, loop }: SessionView): Promise<Loop | undefined> {
  const back = loop && (await newReturn(desk, info));
  return back ? withReturn(loop, back) : loop;
}
