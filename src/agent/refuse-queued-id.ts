import type { SessionInfo } from '../record/index.ts';
import { type Store, wholeBody } from '../store/index.ts';
import { conflict, type Given, sameInput } from './accept-input.ts';
import { steeringNotes } from './turns/read-turns.ts';
import { waitingNotes } from './turns/waiting-turns.ts';

/**
 * Refuses a message under the id of another one that waits for its turn or was handed in to one: it would replace the
 * acknowledged message, which would never be answered.
 */
export async function refuseQueuedId(store: Store, info: SessionInfo, { id, body }: Given): Promise<void> {
  const queued = [...(await waitingNotes(store, info)), ...(await steeringNotes(store, info))];
  const note = queued.map((one) => one.note).find(({ input }) => input === id);
  if (!note) return;
  const whole = (await wholeBody(note, (hash) => store.blob(hash))) as typeof note;
  if (body.role !== 'user' || !sameInput(whole, body)) throw conflict(info.id, id);
}
