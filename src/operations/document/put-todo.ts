import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { TodoRecord, TodoStatus, toTodo } from '../records/document-record.ts';
import { appendBody, DocumentId, Meta } from './read-documents.ts';

export const putTodo = operation({
  name: 'chat/todo/put',
  summary: 'Writes a to-do, new or in the place of the one with this id.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    id: DocumentId.optional().describe('Made if not given.'),
    text: z.string().min(1).max(10_000),
    status: TodoStatus.default('pending'),
    meta: Meta,
  }),
  result: z.strictObject({ todo: TodoRecord }),
  faces: { rpc: true },
  async run(params, app) {
    const { sessionId, id = randomUUID(), text, status, meta } = params;
    const entry = await appendBody(app, sessionId, {
      kind: 'todo',
      id,
      text,
      status,
      ...(meta !== undefined && { meta }),
    });
    return { todo: toTodo(entry, entry.session)! };
  },
});
