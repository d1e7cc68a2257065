import type { Session } from '../../session/index.ts';
import type { Screen } from './screen.ts';
import { type Mirror, writeMirror } from './write-mirror.ts';

/** Keeps the transcripts of a chat up to date, beside the conversation: nobody waits for it but whoever leaves. */
export interface MirrorKeeper {
  /** The session has grown. */
  note(session: Session): void;
  /** Everything that was noted is written, or it was said that it could not be. */
  settled(): Promise<void>;
}

export function keepMirror(location: string, screen: Screen): MirrorKeeper {
  let wanted: Session | undefined;
  let working: Promise<void> | undefined;
  let told = false;
  let before: Mirror | undefined;

  async function work(): Promise<void> {
    while (wanted) {
      const session = wanted;
      wanted = undefined;
      try {
        const info = await session.store.session(session.id);
        if (info) before = await writeMirror(session.store, info, { location, before });
      } catch (error) {
        // The log is what counts; saying it once is enough.
        if (!told) screen.warn(`The transcript was not written: ${(error as Error).message}`);
        told = true;
      }
    }
  }

  return {
    note(session) {
      // Whoever writes in it keeps its transcript.
      if (session.mode === 'read') return;
      wanted = session;
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    async settled() {
      while (working) await working;
    },
  };
}
