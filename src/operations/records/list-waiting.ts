import { steeringNotes, type TurnRecord, waitingNotes } from '../../agent/index.ts';
import type { SessionInfo, SteeringInput, WaitingInput } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { contentOfOperation } from './message-record.ts';
import type { WaitingRecord } from './turn-record.ts';

/** Queued messages, oldest first. What waited in a parent is answered there. */
export async function listWaiting(store: Store, info: SessionInfo): Promise<WaitingRecord[]> {
  return (await waitingNotes(store, info)).map(toWaiting);
}

/** Messages handed in to the newest turn that the model has not seen yet. A turn that is complete has taken everything. */
export async function listSteering(
  store: Store,
  info: SessionInfo,
  turn: TurnRecord | undefined,
): Promise<WaitingRecord[]> {
  if (turn === undefined || turn.status === 'complete') return [];
  return (await steeringNotes(store, info)).map(toWaiting);
}

function toWaiting({ at, note }: { at: number; note: WaitingInput | SteeringInput }): WaitingRecord {
  return { id: note.input, content: contentOfOperation(note.parts), createdAt: at };
}
