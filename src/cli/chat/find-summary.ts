import { isThroughlineError } from '../../errors.ts';
import type { OpenedModel } from '../../models/index.ts';
import { summariseSession } from '../../operations/compaction/index.ts';
import { perform } from '../../operations/index.ts';
import type { SessionInfo, Summary } from '../../record/index.ts';
import { type Chat, stoppable, writerOf } from './chat.ts';
import { appOf } from './chat-app.ts';
import { sayReason, sayTaken } from './leave-chat.ts';
import type { LoadedTranscript } from './load-transcript.ts';

/** The state that a session ended in, and the session as it is then. */
export interface FoundSummary {
  readonly summary: Summary;
  readonly parent: SessionInfo;
}

/** The state that a session ended in: as its file says, as it was left, or made now and kept for the next time. */
export async function findSummary(
  chat: Chat,
  { parent, summary: inFile, trouble }: LoadedTranscript,
  model: OpenedModel,
): Promise<FoundSummary | undefined> {
  if (inFile) return { summary: inFile, parent };
  const { place, screen } = chat;
  const { store } = place;
  await using app = appOf(chat);
  let begun = false;
  try {
    const asked = { sessionId: parent.id, model: writerOf(chat, model), keep: 'may' } as const;
    const { summary, kept, failures, tokens } = await stoppable(chat, (stop) =>
      perform(summariseSession, asked, app, {
        stop,
        onProgress() {
          begun = true;
          if (trouble) screen.warn(`The file can't be resumed from its own words (${trouble}).`);
          screen.begin('📝 It was left without a summary; making one... ');
        },
      }),
    );
    if (begun) screen.end(summary ? '✓' : '✗');
    const failure = failures.at(-1);
    if (failure)
      screen.warn(
        `Summary generation failed: ${sayReason(failure.reason)} The digest wrote it instead.${sayTaken(tokens)}`,
      );
    if (begun && kept) chat.mirror.note({ id: parent.id, store, mode: 'write' });
    return summary && { summary, parent: (await store.session(parent.id)) ?? parent };
  } catch (error) {
    if (begun) screen.end('✗');
    if (!isThroughlineError(error)) throw error;
    screen.warn(error.message);
    return undefined;
  }
}
