import path from 'node:path';
import type { LoadedAgent } from '../../../agent/index.ts';
import { isSessionMissing, ThroughlineError } from '../../../errors.ts';
import { createAppOperation, type OperationResult, perform } from '../../../operations/index.ts';
import { identifyFile, importTranscripts, type mirrorSession } from '../../../operations/transcript/index.ts';
import type { SessionId, SessionInfo, Summary } from '../../../record/index.ts';
import type { Session } from '../../../session/index.ts';
import type { Chat } from './chat.ts';
import { appOf } from './chat-app.ts';
import { chooseChatAgent } from './choose-agent.ts';
import type { Screen } from './screen.ts';

/** A session that was in a file, and the summary that the file has of it. */
export interface LoadedTranscript {
  readonly parent: SessionInfo;
  readonly summary?: Summary;
  /** Why there is no summary in it. */
  readonly trouble?: 'no summary' | 'invalid summary format';
  /** The agent that goes on with it, if that was settled before the import. */
  readonly chosen?: { readonly agent: LoadedAgent | undefined };
}

/** True if a reference looks like the path of a file. */
export function isFile(reference: string): boolean {
  return /[/\\]/.test(reference) || /\.(?:md|markdown|jsonl?|txt)$/i.test(reference);
}

/**
 * Reads a transcript, of this program or another, into the store, so that everything in it can be found and recalled. A person is
 * asked about another agent before the import, and with `no` nothing is imported. `undefined` if there is no such file.
 */
export async function loadTranscript(
  chat: Chat,
  named: string,
): Promise<LoadedTranscript | 'no' | undefined> {
  const { store } = chat.place;
  const file = path.resolve(named);
  await using app = appOf(chat);
  const { exists, session, agentPath, summary, trouble } = await perform(identifyFile, { file }, app);
  if (!exists) return undefined;
  const there = session === undefined ? undefined : await store.session(session);
  if (there) return { parent: there };
  // A log names its module further down: then the question comes behind the import.
  const chosen = agentPath === undefined ? undefined : { agent: await chooseChatAgent(chat, { agentPath }) };
  if (chosen?.agent === 'no') return 'no';
  const { sessions } = await perform(importTranscripts, { paths: [file] }, app);
  // Of a chain, the newest session.
  const newest = sessions.at(-1);
  const parent = newest && (await store.session(newest.id));
  if (!parent)
    throw new ThroughlineError('transcript-unknown', `There is no conversation in ${file}.`, {
      details: { file },
    });
  return {
    parent,
    ...(chosen && { chosen: { agent: chosen.agent } }),
    ...(summary ? { summary } : trouble && { trouble }),
  };
}

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
  let before: OperationResult<typeof mirrorSession> | undefined;

  async function work(): Promise<void> {
    // Grows while it is being read.
    for (const [id, session] of wanted) {
      wanted.delete(id);
      try {
        const { mirrorSession } = await import('../../../operations/transcript/index.ts');
        await using app = createAppOperation(session.store);
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
