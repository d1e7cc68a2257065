import { z } from 'zod';
import { Anything, DocumentRecord, SessionField, TodoRecord, TodoStatus } from '../../operations/index.ts';
import { method } from './method.ts';

const IdField = z.string().min(1).max(200);
const Meta = z.record(z.string(), Anything).optional();

export const chatDocument = {
  'chat/document/list': method({
    summary: 'The documents of a session as they are now.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({ documents: z.array(DocumentRecord) }),
  }),
  'chat/document/get': method({
    summary: 'One document.',
    params: z.strictObject({ sessionId: SessionField, id: IdField }),
    result: z.strictObject({ document: DocumentRecord }),
  }),
  'chat/document/put': method({
    summary:
      'Writes a document, new or in the place of the one with this id. Older versions stay in the log.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      id: IdField.optional().describe('Made if not given.'),
      title: z.string().max(1000),
      content: Anything.refine((content) => content !== undefined && content !== null, 'is missing'),
      mediaType: z.string().max(200).optional(),
      meta: Meta,
    }),
    result: z.strictObject({ document: DocumentRecord }),
  }),
  'chat/document/delete': method({
    summary: 'Takes a document out of the session. Its versions stay in the log.',
    writes: true,
    params: z.strictObject({ sessionId: SessionField, id: IdField }),
    result: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  }),
} as const;

export const chatTodo = {
  'chat/todo/list': method({
    summary: 'The to-dos of a session as they are now.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({ todos: z.array(TodoRecord) }),
  }),
  'chat/todo/put': method({
    summary: 'Writes a to-do, new or in the place of the one with this id.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      id: IdField.optional().describe('Made if not given.'),
      text: z.string().min(1).max(10_000),
      status: TodoStatus.default('pending'),
      meta: Meta,
    }),
    result: z.strictObject({ todo: TodoRecord }),
  }),
  'chat/todo/delete': method({
    summary: 'Takes a to-do off the list.',
    writes: true,
    params: z.strictObject({ sessionId: SessionField, id: IdField }),
    result: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  }),
} as const;
