import { type Entry, type EntryId, isPinned, isQuestion } from '../record/index.ts';
import type { ContextState } from './context.ts';

type Spoken = Pick<ContextState, 'frontier' | 'pinned'>;

/**
 * Answers of the newest turn that stopped halfway and that no whole one has followed, with the results of their calls. When the
 * question is asked again they are not sent: the model answers afresh, and no provider is asked to go on from half a
 * sentence, which many refuse.
 */
export function cutAnswers(log: readonly Entry[]): Set<EntryId> {
  const asked = log.findLastIndex(isQuestion);
  const entries = log.slice(asked + 1);
  const hidden = new Set<EntryId>();
  const calls = new Set<unknown>();
  const whole = entries.findLastIndex(
    ({ body }) => body.kind === 'message' && body.role === 'assistant' && body.status !== 'interrupted',
  );
  for (const { id, body } of entries.slice(whole + 1)) {
    if (body.kind !== 'message') continue;
    const isCut = body.role === 'assistant';
    for (const { type, toolCallId } of body.parts) if (isCut && type === 'tool-call') calls.add(toolCallId);
    if (isCut || body.parts.every(({ toolCallId }) => calls.has(toolCallId))) hidden.add(id);
  }
  return hidden;
}

/** A conversation without these answers. One that is pinned is among the pins then: those are sent whatever happens. */
export function withoutAnswers(
  { frontier, pinned, marks }: Spoken & Pick<ContextState, 'marks'>,
  answers: ReadonlySet<EntryId>,
): Spoken {
  if (answers.size === 0) return { frontier, pinned };
  return {
    frontier: frontier.filter(({ id }) => !answers.has(id)),
    pinned: [...pinned, ...frontier.filter((entry) => answers.has(entry.id) && isPinned(marks, entry))],
  };
}
