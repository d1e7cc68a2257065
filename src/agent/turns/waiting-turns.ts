import {
  type EntryId,
  firstLine,
  NO_USAGE,
  type SessionInfo,
  type TurnFailure,
  type WaitingInput,
} from '../../record/index.ts';
import { trashedError } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { turnFailureOf, whyUnsaved } from '../close-turn.ts';
import { isAtWork } from './is-at-work.ts';
import type { TurnRecord } from './turn-record.ts';

/** Notes of messages that wait for their turn, oldest first. What waits in a parent runs in the parent; one that has its message waits no longer. */
export async function waitingNotes(
  store: Store,
  { id, parent, state }: SessionInfo,
): Promise<{ readonly at: number; readonly note: WaitingInput }[]> {
  const { waiting = [] } = state.settings;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const notes = await Promise.all(
    waiting.map(async (entry) => {
      const found = await store.entry(id, entry);
      if (!found || found.seq <= shared) return [];
      const { at, body: note } = found;
      if (note.kind !== 'run' || note.step !== 'waiting') return [];
      return (await store.entry(id, note.input)) ? [] : [{ at, note }];
    }),
  );
  return notes.flat();
}

/** Turns that wait behind the running one, oldest first. What no process will begin says why. */
export async function waitingTurns(store: Store, info: SessionInfo): Promise<TurnRecord[]> {
  if (info.state.settings.waiting === undefined) return [];
  // Before the notes are read: a turn that was begun since waits no longer.
  const isLeft = !(await isAtWork(store, info.id));
  return (await waitingNotes(store, info)).map(({ at, note: { input, parts } }) => ({
    id: input,
    status: 'waiting',
    seq: null,
    question: firstLine({ kind: 'message', role: 'user', parts }),
    askedAt: at,
    beganAt: null,
    endedAt: null,
    attempts: 0,
    answer: null,
    model: null,
    answers: 0,
    usage: NO_USAGE,
    cutBy: null,
    error: whyUnbegun(store, info, { input, isLeft }),
  }));
}

function whyUnbegun(
  store: Store,
  info: SessionInfo,
  { input, isLeft }: { input: EntryId; isLeft: boolean },
): TurnFailure | null {
  const trashed = trashedError(info, { stored: input });
  if (trashed) return turnFailureOf(trashed);
  return isLeft ? (whyUnsaved(store, info.id, input) ?? LEFT) : null;
}

const LEFT: TurnFailure = {
  code: 'turn-not-running',
  message:
    'The process that accepted the message ended, or could not write, before its turn came. It is stored, and is answered when the session goes on.',
};
