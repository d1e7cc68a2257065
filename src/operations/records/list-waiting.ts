import type { SessionInfo } from '../../record/index.ts';
import { steeringNotes, type TurnRecord } from '../../run/index.ts';
import type { Store } from '../../store/index.ts';
import { contentOf } from './message-record.ts';
import type { WaitingRecord } from './turn-record.ts';

/** What was said and has no turn yet, oldest first. What waited in a parent is answered there. */
export async function listWaiting(
  store: Store,
  { id: session, parent, state }: SessionInfo,
): Promise<WaitingRecord[]> {
  const { waiting = [] } = state.settings;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const notes = await Promise.all(waiting.map((id) => store.entry(session, id)));
  return notes.flatMap((note) => {
    if (!note || note.seq <= shared) return [];
    const { at, body } = note;
    if (body.kind !== 'run' || body.step !== 'waiting') return [];
    return [{ id: body.input, content: contentOf(body.parts), createdAt: at }];
  });
}

/** What was handed in to the newest turn and the model was not given yet. A turn that is complete has taken everything. */
export async function listSteering(
  store: Store,
  info: SessionInfo,
  turn: TurnRecord | undefined,
): Promise<WaitingRecord[]> {
  if (turn === undefined || turn.status === 'complete') return [];
  const notes = await steeringNotes(store, info);
  return notes.map(({ at, note }) => ({ id: note.input, content: contentOf(note.parts), createdAt: at }));
}
