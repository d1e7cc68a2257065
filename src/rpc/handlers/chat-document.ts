import { randomUUID } from 'node:crypto';
import { plainJson, refused, toDocument, toTodo } from '../../operations/index.ts';
import type { EntryBody } from '../../record/index.ts';
import type { Call, Handler } from '../call.ts';
import { readDocuments, readTodos } from './read-documents.ts';

const listDocuments: Handler<'chat/document/list'> = async ({ sessionId }, { store, find }) => ({
  documents: await readDocuments(store, await find(sessionId)),
});

const getDocument: Handler<'chat/document/get'> = async ({ sessionId, id }, { store, find }) => {
  const info = await find(sessionId);
  const document = (await readDocuments(store, info)).find((each) => each.id === id);
  if (!document) throw missing('document', info.id, id);
  return { document };
};

const putDocument: Handler<'chat/document/put'> = async (params, call) => {
  const { sessionId, id = randomUUID(), title, content, mediaType, meta } = params;
  // The name is taken: a document of it would be read as the state of the work.
  if (id === 'checkpoint')
    throw refused('usage', 'No document can be called "checkpoint": see checkpoint/restore.');
  const body = { kind: 'document', id, title, content } as const;
  const entry = await append(call, sessionId, {
    ...body,
    ...(mediaType !== undefined && { mediaType }),
    ...(meta !== undefined && { meta }),
  });
  return { document: { ...toDocument(entry, entry.session)!, content: plainJson(content) } };
};

const deleteDocument: Handler<'chat/document/delete'> = async ({ sessionId, id }, call) => {
  const { id: session, state } = await call.find(sessionId);
  if (!Object.hasOwn(state.documents, id)) throw missing('document', session, id);
  await append(call, session, { kind: 'document', id, title: '', content: null });
  return { id, deleted: true };
};

const listTodos: Handler<'chat/todo/list'> = async ({ sessionId }, { store, find }) => ({
  todos: await readTodos(store, await find(sessionId)),
});

const putTodo: Handler<'chat/todo/put'> = async (params, call) => {
  const { sessionId, id = randomUUID(), text, status, meta } = params;
  const entry = await append(call, sessionId, {
    kind: 'todo',
    id,
    text,
    status,
    ...(meta !== undefined && { meta }),
  });
  return { todo: toTodo(entry, entry.session)! };
};

const deleteTodo: Handler<'chat/todo/delete'> = async ({ sessionId, id }, call) => {
  const { id: session, state } = await call.find(sessionId);
  if (!Object.hasOwn(state.todos, id)) throw missing('to-do', session, id);
  await append(call, session, { kind: 'todo', id, text: '', status: 'removed' });
  return { id, deleted: true };
};

async function append({ sessions, find }: Call, sessionId: string, body: EntryBody) {
  const { id } = await find(sessionId);
  const [entry] = await sessions.append(id, [{ body }]);
  return { ...entry!, session: id };
}

function missing(what: string, session: string, id: string) {
  return refused('entry-not-found', `Session "${session}" has no ${what} "${id}".`, { session, id });
}

export const chatDocument = {
  'chat/document/list': listDocuments,
  'chat/document/get': getDocument,
  'chat/document/put': putDocument,
  'chat/document/delete': deleteDocument,
  'chat/todo/list': listTodos,
  'chat/todo/put': putTodo,
  'chat/todo/delete': deleteTodo,
};
