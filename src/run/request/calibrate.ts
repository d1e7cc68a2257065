import type { Entry, Seq, SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { createCalibration } from '../../tokens/index.ts';
import { answerNotes } from './answer-notes.ts';

const NEWEST = 24;

/** The newest messages up to an entry, newest first: what they say about themselves is what a request goes by. */
export function readNewest(store: Store, id: SessionId, upTo: Seq): Promise<Entry[]> {
  return store.read(id, { upTo, only: 'messages', order: 'newest-first', limit: NEWEST });
}

/**
 * From the local estimate to what this model will count, learnt from its newest answers in this session: each of them
 * says what was estimated for its request and what the provider reported. Nothing is stored for it.
 */
export function calibrate(newest: readonly Entry[], model: string): (tokens: number) => number {
  const calibration = createCalibration();
  for (const entry of newest.toReversed()) {
    const { body } = entry;
    if (body.kind !== 'message' || body.model !== model || !body.usage) continue;
    const { estimated } = answerNotes(entry);
    if (estimated !== undefined) calibration.observe({ model, estimated, reported: body.usage.inputTokens });
  }
  return (tokens) => calibration.correct(model, tokens);
}

/** The same for whoever wants to know how full a context is, and sends nothing. */
export async function readCorrection(
  store: Store,
  { id, head }: Pick<SessionInfo, 'id' | 'head'>,
  model: string,
): Promise<(tokens: number) => number> {
  return calibrate(await readNewest(store, id, head), model);
}
