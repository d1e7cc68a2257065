import { z } from 'zod';
import {
  type Entry,
  isMarked,
  isPinned,
  type Message,
  type Part,
  PartShape,
  type SessionInfo,
} from '../../record/index.ts';
import { sayMessage } from '../../text/index.ts';
import { Anything, RoleField, UsageField } from '../fields.ts';
import type { CompactionTree } from './compaction-tree.ts';

export const MessageRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    seq: z.int(),
    role: RoleField,
    content: z.string().describe('Its text.'),
    parts: z
      .array(PartShape)
      .describe(
        'As they were stored. A value over 32,768 characters is a `BlobRef`; `chat/message/get` gives it whole.',
      ),
    status: z.enum(['complete', 'interrupted']),
    model: z.string().nullable(),
    usage: UsageField.nullable(),
    durationMs: z.number().nullable(),
    tokens: z.int(),
    createdAt: z.number(),
    isActive: z
      .boolean()
      .describe('Whether it is in the context itself: not compacted, excluded or removed.'),
    compactedIntoId: z
      .string()
      .nullable()
      .describe('The compaction that stands in for it, or that would if it were collapsed.'),
    pinned: z.boolean(),
    excluded: z.boolean(),
    meta: z.record(z.string(), Anything).nullable(),
  })
  .meta({ id: 'Message' });
export type MessageRecord = z.infer<typeof MessageRecord>;

/** A message; `isActive` if the model sees it as it is. */
export function toMessageRecord(
  { id, seq, at, tokens, body }: Entry & { readonly body: Message },
  { id: sessionId, state }: Pick<SessionInfo, 'id' | 'state'>,
  tree: CompactionTree,
): MessageRecord {
  const excluded = isMarked(state.excluded, { id, seq });
  const hidden = tree.standsFor(seq) !== undefined || isMarked(state.removed, { id, seq });
  return {
    id,
    sessionId,
    seq,
    role: body.role,
    content: contentOfOperation(body.parts),
    parts: body.parts.map((part) => ({ ...part })),
    status: body.status ?? 'complete',
    model: body.model ?? null,
    usage: body.usage ?? null,
    durationMs: body.durationMs ?? null,
    tokens,
    createdAt: at,
    isActive: !hidden && !excluded,
    compactedIntoId: tree.homeOf(seq)?.entry.id ?? null,
    pinned: isPinned(state, { id, seq }),
    excluded,
    meta: body.meta ? { ...body.meta } : null,
  };
}

/** The text of parts, joined as it was streamed. */
export function contentOfOperation(parts: readonly Part[]): string {
  return sayMessage({ parts }, { separator: '' });
}
