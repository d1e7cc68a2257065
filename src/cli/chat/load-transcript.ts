import path from 'node:path';
import { ThroughlineError } from '../../errors.ts';
import { perform } from '../../operations/index.ts';
import { identifyFile, importTranscripts } from '../../operations/transcript/index.ts';
import type { SessionInfo, Summary } from '../../record/index.ts';
import type { LoadedAgent } from '../../run/index.ts';
import type { Chat } from './chat.ts';
import { appOf } from './chat-app.ts';
import { chooseAgent } from './choose-agent.ts';

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
  const chosen = agentPath === undefined ? undefined : { agent: await chooseAgent(chat, { agentPath }) };
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
