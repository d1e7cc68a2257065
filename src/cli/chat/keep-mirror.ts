import { isSessionMissing } from '../../errors.ts';
import { createApp, perform, type ResultOf } from '../../operations/index.ts';
import type { mirrorSession } from '../../operations/transcript/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { Screen } from './screen.ts';

type Grown = Pick<Session, 'id' | 'store' | 'mode'>;

/**
 * Keeps the transcripts of a chat up to date, beside the conversation: only leaving waits for it. Disposed of before the
 * store is closed, whichever way that comes about.
 */
export interface MirrorKeeper extends AsyncDisposable {
  /** The session has grown. */
  note(session: Grown): void;
  /** Resolves when everything that was noted is written, or a warning says that it could not be. */
  settled(): Promise<void>;
}

export function keepMirror(screen: Screen): MirrorKeeper {
  const wanted = new Map<SessionId, Grown>();
  let working: Promise<void> | undefined;
  let told = false;
  let before: ResultOf<typeof mirrorSession> | undefined;

  async function work(): Promise<void> {
    // Grows while it is being read.
    for (const [id, session] of wanted) {
      wanted.delete(id);
      try {
        const { mirrorSession } = await import('../../operations/transcript/index.ts');
        await using app = createApp(session.store);
        before = await perform(mirrorSession, { sessionId: id, before }, app);
      } catch (error) {
        if (isSessionMissing(error)) continue;
        // The log is what counts; saying it once is enough.
        if (!told) screen.warn(`The transcript was not written: ${(error as Error).message}`);
        told = true;
      }
    }
  }

  async function settled(): Promise<void> {
    while (working) await working;
  }

  return {
    note(session) {
      // The process that writes in the session keeps its transcript.
      if (session.mode === 'read') return;
      wanted.set(session.id, session);
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    settled,
    [Symbol.asyncDispose]: settled,
  };
}
