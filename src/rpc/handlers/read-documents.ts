import { toDocument, toTodo } from '../../operations/index.ts';
import type { Entry, SessionInfo } from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { DocumentRecord, TodoRecord } from '../methods/index.ts';

/** What restoring an older checkpoint writes; `checkpoint/*` shows it. */
const OURS = 'checkpoint';

export async function readDocuments(store: Store, { id, state }: SessionInfo): Promise<DocumentRecord[]> {
  const { [OURS]: _, ...documents } = state.documents;
  const entries = await readAt(store, id, Object.values(documents));
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
