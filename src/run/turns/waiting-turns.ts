import { firstLine, NO_USAGE, type SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { TurnRecord } from './turn-record.ts';

/** Turns that wait behind the running one, oldest first. What waits in a parent runs in the parent; one that has its message waits no longer. */
export async function waitingTurns(store: Store, info: SessionInfo): Promise<TurnRecord[]> {
  const { parent, state } = info;
  const { waiting = [] } = state.settings;
  if (waiting.length === 0) return [];
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const notes = await Promise.all(waiting.map((note) => store.entry(info.id, note)));
  const begun = await Promise.all(
    notes.map((note) =>
      note?.body.kind === 'run' && note.body.step === 'waiting'
        ? store.entry(info.id, note.body.input)
        : undefined,
    ),
  );
  return notes.flatMap((note, index) => {
    if (begun[index]) return [];
    if (!note || note.seq <= shared || note.body.kind !== 'run' || note.body.step !== 'waiting') return [];
    const { input, parts } = note.body;
    return [
      {
        id: input,
        status: 'waiting' as const,
        seq: null,
        question: firstLine({ kind: 'message', role: 'user', parts }),
        askedAt: note.at,
        beganAt: null,
        endedAt: null,
        attempts: 0,
        answer: null,
        model: null,
        answers: 0,
        usage: NO_USAGE,
        cutBy: null,
        error: null,
      },
    ];
  });
}
