import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { TodoRecord } from '../records/document-record.ts';
import { readTodos } from './read-documents.ts';

export const listTodos = operation({
  name: 'chat/todo/list',
  summary: 'The to-dos of a session as they are now.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ todos: z.array(TodoRecord) }),
  faces: { rpc: true },
  async run({ sessionId }, { store, find }) {
    return {
      todos: await readTodos(store, await find(sessionId)),
    };
  },
});
