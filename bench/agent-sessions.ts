import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EntryId, Role, SessionId, Store } from '../src/index.ts';
import { messageText } from '../src/search/text/message-text.ts';
import { findFiles, importFile } from '../src/transcripts/index.ts';

const TRANSCRIPTS = path.join(import.meta.dirname, '../../shared/data/transcripts');

/** A message as a search sees it. */
export interface SaidMessage {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly role: Role;
  readonly at: number;
  readonly text: string;
}

/** Imports the transcripts that lie beside the project; `false` if they do not. */
export async function importTranscripts(store: Store): Promise<boolean> {
  if (!existsSync(TRANSCRIPTS)) return false;
  for await (const file of findFiles([TRANSCRIPTS])) await importFile(store, file);
  return true;
}

/** Every message of a store once, in the session that owns it. */
export async function messagesOf(store: Store): Promise<SaidMessage[]> {
  const said: SaidMessage[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: 500, ...(cursor && { cursor }) });
    for (const { id, parent } of page.sessions) {
      const after = parent?.relation === 'fork' ? parent.seq : 0;
      for (const { id: entry, at, body } of await store.read(id, { after, only: 'messages' })) {
        if (body.kind !== 'message') continue;
        const text = await messageText(body, (hash) => store.blob(hash));
        said.push({ session: id, entry, role: body.role, at, text });
      }
    }
    cursor = page.cursor;
    if (!cursor) break;
  }
  // Listed by when they were last written, which an import sets: by name they come in the same order everywhere.
  return said.sort((a, b) => compare(a.session, b.session) || compare(a.entry, b.entry));
}

/** What a developer asks weeks later, and the messages that answer: those of the sessions that the pattern matches. */
export interface AgentQuestion {
  readonly question: string;
  /** How the names of the sessions begin. */
  readonly session: string | readonly string[];
  readonly answer: string;
}

export function readQuestions(): AgentQuestion[] {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'agent-questions.json'), 'utf8'));
}

/** The messages that answer; a question that none answers would be a mistake in the file. */
export function answersTo(
  { question, session, answer }: AgentQuestion,
  messages: readonly SaidMessage[],
): ReadonlySet<EntryId> {
  const pattern = new RegExp(answer, 'i');
  const names = [session].flat();
  const found = messages.filter(
    (message) => names.some((name) => message.session.startsWith(name)) && pattern.test(message.text),
  );
  if (found.length === 0) throw new Error(`No message answers "${question}".`);
  return new Set(found.map(({ entry }) => entry));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
