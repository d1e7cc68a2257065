import type { Entry, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { createCalibration } from '../../tokens/index.ts';
import { answerNotes } from './answer-notes.ts';

const NEWEST = 24;

/** The newest messages of the log, with those `ahead` of it, newest first: a request goes by their notes. */
export async function readNewest(
  store: Store,
  { id, head }: Pick<SessionInfo, 'id' | 'head'>,
  ahead: readonly Entry[] = [],
): Promise<Entry[]> {
  const written = await store.read(id, {
    upTo: head,
    only: 'messages',
    order: 'newest-first',
    limit: NEWEST,
  });
  return [...ahead.toReversed(), ...written].slice(0, NEWEST);
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
