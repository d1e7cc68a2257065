import { z } from 'zod';
import { CompactionRecord, EntryIdField, NewIdField, SessionField } from '../../operations/index.ts';
import { method } from './method.ts';

const Named = {
  id: EntryIdField.describe('The compaction.'),
  sessionId: SessionField.optional().describe(
    'Where it is meant: a fork shares the compactions of its parent. Without it, the session it was made in.',
  ),
};

export const chatCompaction = {
  'chat/compaction/list': method({
    summary: 'The compactions of a session, in the order they were made. Deleted ones are not among them.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.array(CompactionRecord),
  }),
  'chat/compaction/get': method({
    summary: 'One compaction; an error if there is none.',
    params: z.strictObject(Named),
    result: z.strictObject({ compaction: CompactionRecord }),
  }),
  'chat/compaction/create': method({
    summary:
      'Stores a summary that you wrote for a run of messages. It takes effect with `chat/compaction/apply`, or at once, in one step, with `apply`.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      summary: z.string().min(1).max(200_000).describe('Markdown.'),
      startMessageId: EntryIdField.describe('The first message it stands in for.'),
      endMessageId: EntryIdField.describe('The last one.'),
      apply: z.boolean().default(false),
      id: NewIdField,
      messagesCompacted: z
        .int()
        .min(0)
        .optional()
        .describe('Counted by the server; taken for older clients.'),
      originalTokenCount: z.int().min(0).optional().describe('Likewise.'),
      compressedTokenCount: z.int().min(0).optional().describe('Likewise.'),
    }),
    result: z.strictObject({ compaction: CompactionRecord }),
  }),
  'chat/compaction/apply': method({
    summary:
      'Puts a stored compaction into effect: its messages leave the context and its summary stands in for them.',
    writes: true,
    params: z.strictObject(Named),
    result: z.strictObject({ compaction: CompactionRecord, messagesDeactivated: z.int() }),
  }),
  'chat/compaction/expand': method({
    summary: 'Puts the original messages back into the context.',
    writes: true,
    params: z.strictObject({
      ...Named,
      deep: z
        .boolean()
        .default(true)
        .describe(
          'Down to the messages; `false` opens one level, so that the summaries under it stand there.',
        ),
    }),
    result: z.strictObject({ compaction: CompactionRecord, messagesActivated: z.int() }),
  }),
  'chat/compaction/collapse': method({
    summary: 'Hides the messages of a compaction again: the reverse of `expand`.',
    writes: true,
    params: z.strictObject(Named),
    result: z.strictObject({ compaction: CompactionRecord, messagesDeactivated: z.int() }),
  }),
  'chat/compaction/delete': method({
    summary:
      'Deletes a compaction. Messages that it hides stay hidden (they are excluded); call `expand` first, or say `reactivate`, to have them back.',
    writes: true,
    params: z.strictObject({
      ...Named,
      reactivate: z
        .boolean()
        .default(false)
        .describe('Undo it: its messages are active again, in the same step.'),
    }),
    result: z.strictObject({ id: z.string(), deleted: z.literal(true), messagesActivated: z.int() }),
  }),
} as const;
