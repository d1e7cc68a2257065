import { z } from 'zod';
import {
  CHECKPOINT_DOCUMENT,
  type Entry,
  type EntryBody,
  type SessionInfo,
  SUMMARY_DRAFT,
} from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { App } from '../app.ts';
import { Anything } from '../fields.ts';
import { type DocumentRecord, type TodoRecord, toDocument, toTodo } from '../records/document-record.ts';
import { refused } from '../refused.ts';

/** `checkpoint/*` and `ai/context/draft/*` show them. */
export const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([CHECKPOINT_DOCUMENT, SUMMARY_DRAFT]);

export async function readDocuments(store: Store, { id, state }: SessionInfo): Promise<DocumentRecord[]> {
  const shown = Object.entries(state.documents).flatMap(([name, seq]) =>
    SHOWN_ELSEWHERE.has(name) ? [] : [seq],
  );
  const entries = await readAt(store, id, shown);
  const whole = entries.map(async (entry) => ({
    ...entry,
    body: await wholeBody(entry.body, (hash) => store.blob(hash)),
  }));
  return (await Promise.all(whole)).flatMap((entry) => toDocument(entry, id) ?? []);
}

export async function readTodos(store: Store, { id, state }: SessionInfo): Promise<TodoRecord[]> {
  const entries = await readAt(store, id, Object.values(state.todos));
  return entries.flatMap((entry) => toTodo(entry, id) ?? []);
}

async function readAt(store: Store, id: string, seqs: readonly number[]): Promise<Entry[]> {
  const pages = seqs.toSorted((a, b) => a - b).map((seq) => store.read(id, { after: seq - 1, upTo: seq }));
  return (await Promise.all(pages)).flat();
}

export const DocumentId = z.string().min(1).max(200);
export const Meta = z.record(z.string(), Anything).optional();

export async function appendBody({ sessions, find }: App, sessionId: string, body: EntryBody) {
  const { id } = await find(sessionId);
  const [entry] = await sessions.append(id, [{ body }]);
  return { ...entry!, session: id };
}

export function missing(what: string, session: string, id: string) {
  return refused('entry-not-found', `Session "${session}" has no ${what} "${id}".`, { session, id });
}
