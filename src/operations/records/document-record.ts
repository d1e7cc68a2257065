import { z } from 'zod';
import type { Entry } from '../../record/index.ts';
import { Anything } from '../fields.ts';
import { plainJson } from './plain-json.ts';

export const DocumentRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    title: z.string(),
    content: Anything,
    mediaType: z.string().nullable(),
    meta: z.record(z.string(), Anything).nullable(),
    updatedAt: z.number(),
  })
  .meta({ id: 'Document' });
export type DocumentRecord = z.infer<typeof DocumentRecord>;

export const TodoStatus = z.enum(['pending', 'in_progress', 'completed', 'cancelled']);

export const TodoRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    text: z.string(),
    status: TodoStatus,
    meta: z.record(z.string(), Anything).nullable(),
    updatedAt: z.number(),
  })
  .meta({ id: 'Todo' });
export type TodoRecord = z.infer<typeof TodoRecord>;

export function toDocument({ at, body }: Entry, sessionId: string): DocumentRecord | undefined {
  if (body.kind !== 'document' || body.content === null) return undefined;
  const { id, title, content, mediaType = null, meta } = body;
  return {
    id,
    sessionId,
    title,
    content: plainJson(content),
    mediaType,
    meta: meta ? { ...meta } : null,
    updatedAt: at,
  };
}

export function toTodo({ at, body }: Entry, sessionId: string): TodoRecord | undefined {
  if (body.kind !== 'todo' || body.status === 'removed') return undefined;
  const { id, text, status, meta } = body;
  return { id, sessionId, text, status, meta: meta ? { ...meta } : null, updatedAt: at };
}
