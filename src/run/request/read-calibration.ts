import type { Session } from '../../session/index.ts';
import { createCalibration } from '../../tokens/index.ts';
import { answerNotes } from './answer-notes.ts';

const NEWEST = 24;

/**
 * From the local estimate to what this model will count, learnt from its newest answers in this session: each of them
 * says what was estimated for its request and what the provider reported. Nothing is stored for it.
 */
export async function readCalibration(session: Session, model: string): Promise<(tokens: number) => number> {
  const calibration = createCalibration();
  const newest = await session.read({ only: 'messages', order: 'newest-first', limit: NEWEST });
  for (const entry of newest.reverse()) {
    const { body } = entry;
    if (body.kind !== 'message' || body.model !== model || !body.usage) continue;
    const { estimated } = answerNotes(entry);
    if (estimated !== undefined) calibration.observe({ model, estimated, reported: body.usage.inputTokens });
  }
  return (tokens) => calibration.correct(model, tokens);
}
