import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { appendBody, DocumentId, missing } from './read-documents.ts';

export const deleteTodo = operation({
  name: 'chat/todo/delete',
  summary: 'Takes a to-do off the list.',
  writes: true,
  params: z.strictObject({ sessionId: SessionField, id: DocumentId }),
  result: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  faces: { rpc: true },
  async run({ sessionId, id }, app) {
    const { id: session, state } = await app.find(sessionId);
    if (!Object.hasOwn(state.todos, id)) throw missing('to-do', session, id);
    await appendBody(app, session, { kind: 'todo', id, text: '', status: 'removed' });
    return { id, deleted: true as const };
  },
});
