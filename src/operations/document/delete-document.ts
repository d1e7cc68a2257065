import { z } from 'zod';
import type { EntryBody, SessionState } from '../../record/index.ts';
import type { App } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { appendBody, DocumentId, missing, SHOWN_ELSEWHERE } from './read-documents.ts';

const params = z.strictObject({ sessionId: SessionField, id: DocumentId });
const result = z.strictObject({ id: z.string(), deleted: z.literal(true) });

export const deleteDocument = operation({
  name: 'chat/document/delete',
  summary: 'Takes a document out of the session. Its versions stay in the log.',
  writes: true,
  fails: ['entry-not-found'],
  params,
  result,
  faces: { rpc: true },
  run: ({ sessionId, id }, app) =>
    takeOut(app, sessionId, {
      list: 'documents',
      noun: 'document',
      body: { kind: 'document', id, title: '', content: null },
    }),
});

export const deleteTodo = operation({
  name: 'chat/todo/delete',
  summary: 'Takes a to-do off the list.',
  writes: true,
  fails: ['entry-not-found'],
  params,
  result,
  faces: { rpc: true },
  run: ({ sessionId, id }, app) =>
    takeOut(app, sessionId, {
      list: 'todos',
      noun: 'to-do',
      body: { kind: 'todo', id, text: '', status: 'removed' },
    }),
});

interface Removal {
  readonly list: keyof Pick<SessionState, 'documents' | 'todos'>;
  readonly noun: string;
  readonly body: Extract<EntryBody, { kind: 'document' | 'todo' }>;
}

/** Writes the entry that removes the document or to-do with its id. */
async function takeOut(app: App, sessionId: string, { list, noun, body }: Removal) {
  const { id: session, state } = await app.find(sessionId);
  const { id } = body;
  if (!Object.hasOwn(state[list], id) || (list === 'documents' && SHOWN_ELSEWHERE.has(id)))
    throw missing(noun, session, id);
  await appendBody(app, session, body);
  return { id, deleted: true as const };
}
