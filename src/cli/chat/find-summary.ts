import type { Draft } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { SessionInfo, Summary } from '../../record/index.ts';
import { openSession, readClosingSummary } from '../../session/index.ts';
import { type Chat, stoppable } from './chat.ts';
import { OWNER } from './choose-session.ts';
import { draftClosingSummary, writeClosingSummary } from './closing-summary.ts';
import type { LoadedTranscript } from './load-transcript.ts';

/** What a session came to, and the session as it is then. */
export interface FoundSummary {
  readonly summary: Summary;
  readonly parent: SessionInfo;
}

/** What the session came to: as its file says, as it was left, or made now from what was said and kept for the next time. */
export async function findSummary(
  chat: Chat,
  { parent, summary, trouble }: LoadedTranscript,
  model: OpenedModel,
): Promise<FoundSummary | undefined> {
  const { place, screen } = chat;
  const known = summary ?? (await readClosingSummary(place.store, parent));
  if (known) return { summary: known, parent };
  if (trouble) screen.warn(`The file can't be resumed from its own words (${trouble}).`);
  screen.begin('📝 It was left without a summary; making one... ');
  try {
    const draft = await stoppable(chat, (signal) =>
      draftClosingSummary(place.store, parent, { model, signal }),
    );
    screen.end(draft ? '✓' : '✗');
    const failure = draft?.failures.at(-1);
    if (failure) screen.warn(`Summary generation failed (${failure.reason}); the digest did it.`);
    return draft && { summary: draft.summary, parent: await keep(chat, parent, draft) };
  } catch (error) {
    screen.end('✗');
    if (!isThroughlineError(error)) throw error;
    screen.warn(error.message);
    return undefined;
  }
}

/** A digest that stands in for a model is not kept: the next time the model may be there. */
async function keep(chat: Chat, parent: SessionInfo, draft: Draft): Promise<SessionInfo> {
  if (draft.failures.length > 0) return parent;
  const { store } = chat.place;
  const open = chat.session?.id === parent.id ? chat.session : undefined;
  try {
    const session = open ?? (await openSession(store, parent.id, { owner: OWNER }));
    try {
      await writeClosingSummary(session, draft);
      chat.mirror.note(session);
    } finally {
      if (!open) await session.close();
    }
  } catch (error) {
    // Somebody else may be writing in it, or nobody may: it is resumed all the same.
    if (!isThroughlineError(error)) throw error;
  }
  return (await store.session(parent.id)) ?? parent;
}
