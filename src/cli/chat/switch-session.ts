import { isThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import { findSession, readClosingSummary } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { readLastList } from '../last-list.ts';
import { sayCount } from '../terminal/say.ts';
import { type Chat, sessionOf, stoppable } from './chat.ts';
import { draftClosingSummary, writeClosingSummary } from './closing-summary.ts';
import { closeSession } from './leave-chat.ts';
import { isFile, type LoadedTranscript, loadTranscript } from './load-transcript.ts';
import { resumeInto, startFrom } from './resume-chat.ts';

/** Closes the session with a summary and goes on in a new one that starts from it. */
export async function compactInto(chat: Chat): Promise<void> {
  const session = sessionOf(chat);
  const { screen, place, model } = chat;
  screen.say('📝 Generating session summary...');
  const info = await session.refresh();
  const left = await readClosingSummary(place.store, info);
  const draft = left
    ? undefined
    : await stoppable(chat, (signal) => draftClosingSummary(place.store, info, { model, signal }));
  const [failure] = draft?.failures ?? [];
  if (failure) screen.warn(`Summary generation failed (${failure.reason}); the digest did it.`);
  const summary = left ?? draft?.summary;
  if (!summary) return screen.say('Nothing was said yet, so there is nothing to compact.');
  if (draft) await writeClosingSummary(session, draft);
  chat.mirror.note(session);
  await chat.mirror.settled();
  const { queries, tokens } = session.info.totals;
  const parent = session.info;
  screen.say(
    `💾 Saved session: ${session.id} (${sayCount(queries, 'query', 'queries')}, ${sayCount(tokens, 'token')})`,
  );
  screen.say('🔄 Starting new session with summary...');
  await startFrom(chat, parent, summary);
  // Not before: if the new one cannot be made, the chat is still in this one.
  await closeSession(session);
}

/** Leaves this session and resumes the one that is named: an id, the start of one, a number, a title, a file. */
export async function resumeReference(chat: Chat, reference: string): Promise<void> {
  const { screen, session: before } = chat;
  screen.say('📋 Loading session...');
  const found = await findParent(chat, reference);
  if (!found) {
    const next = before ? '; this session goes on' : ', starting fresh';
    return screen.warn(`Parent session ${reference} not found${next}`);
  }
  if (!(await resumeInto(chat, found))) return;
  if (before) await closeSession(before);
}

/** Numbers are those of the list that was shown last, or of the one that would be shown. */
export async function findParent({ place }: Chat, reference: string): Promise<LoadedTranscript | undefined> {
  if (isFile(reference)) return loadTranscript(place, reference);
  const list = readLastList(place.location) ?? (await newest(place.store));
  try {
    return { parent: await findSession(place.store, reference, { list }) };
  } catch (error) {
    if (!isThroughlineError(error, 'session-not-found')) throw error;
    return undefined;
  }
}

async function newest(store: Store): Promise<SessionId[]> {
  return (await store.list({ limit: 20 })).sessions.map(({ id }) => id);
}
