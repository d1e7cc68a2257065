import { countsOf, sayCounts } from '../../../agent/index.ts';
import { isThroughlineError } from '../../../errors.ts';
import { summariseSession } from '../../../operations/compaction/index.ts';
import { perform } from '../../../operations/index.ts';
import type { SessionId } from '../../../record/index.ts';
import type { Store } from '../../../store/index.ts';
import { readLastList } from '../last-list.ts';
import { type Chat, sessionOf, stoppableChat, writerOf } from './chat.ts';
import { appOf } from './chat-app.ts';
import { findChatConversation } from './choose-session.ts';
import { closeSession, sayReason, sayTaken } from './leave-chat.ts';
import { isFile, type LoadedTranscript, loadTranscript } from './load-transcript.ts';
import { resumeInto, startFrom } from './resume-chat.ts';

/** Closes the session with a summary and goes on in a new one that starts from it. */
export async function compactInto(chat: Chat): Promise<void> {
  const session = sessionOf(chat);
  const { screen } = chat;
  const { id, totals } = await session.refresh();
  if (totals.messages === 0) return screen.say('Nothing was said yet, so there is nothing to compact.');
  screen.say('📝 Generating session summary...');
  await using app = appOf(chat);
  const asked = { sessionId: id, model: writerOf(chat), keep: 'must' } as const;
  const { summary, failures, tokens } = await stoppableChat(chat, (stop) =>
    perform(summariseSession, asked, app, { stop }),
  );
  const [failure] = failures;
  if (failure)
    screen.warn(
      `Summary generation failed: ${sayReason(failure.reason)} The digest wrote it instead.${sayTaken(tokens)}`,
    );
  if (!summary) return screen.say('Nothing was said yet, so there is nothing to compact.');
  chat.mirror.note(session);
  await chat.mirror.settled();
  const parent = await session.refresh();
  const counts = countsOf(parent, await chat.spending(session));
  screen.say(`💾 Saved session: ${session.id} (${sayCounts(counts)})`);
  screen.say('🔄 Starting new session with summary...');
  await startFrom(chat, { parent, summary });
  // Not before: if the new one cannot be made, the chat is still in this one.
  await closeSession(chat, session);
}

/** Leaves this session and resumes the one that is named: an id, the start of one, a number, a title, a file. */
export async function resumeReference(chat: Chat, reference: string): Promise<void> {
  const { screen, session: before } = chat;
  screen.say('📋 Loading session...');
  const found = await findParent(chat, reference);
  if (isMissing(found))
    return screen.warn(sayMissing(found, before ? '; this session goes on' : ', starting fresh'));
  if (!(await resumeInto(chat, found))) return;
  if (before) await closeSession(chat, before);
}

/** Numbers are those of the list that was shown last, or of the one that would be shown. */
export async function findParent(
  chat: Chat,
  reference: string,
): Promise<LoadedTranscript | 'no' | MissingParent> {
  if (isFile(reference)) return (await loadTranscript(chat, reference)) ?? { missing: reference };
  const { place } = chat;
  const list = readLastList(place.location) ?? (await newest(place.store));
  try {
    return { parent: await findChatConversation(place.store, reference, { list }) };
  } catch (error) {
    if (!isThroughlineError(error, 'session-not-found')) throw error;
    const { why } = error.details;
    return { missing: reference, ...(typeof why === 'string' && { why }) };
  }
}

interface MissingParent {
  readonly missing: string;
  /** The error of a number. */
  readonly why?: string;
}

export function isMissing(found: LoadedTranscript | 'no' | MissingParent): found is MissingParent {
  return found !== 'no' && 'missing' in found;
}

export function sayMissing({ missing, why }: MissingParent, next: string): string {
  return `Parent session ${missing} not found${next}${why === undefined ? '' : `. ${why}`}`;
}

async function newest(store: Store): Promise<SessionId[]> {
  return (await store.list({ limit: 20 })).sessions.map(({ id }) => id);
}
