import { z } from 'zod';
import {
  Anything,
  ContentField,
  EntryIdField,
  MessageRecord,
  NewIdField,
  Role,
  SeqField,
  SessionField,
  Usage,
} from '../../operations/index.ts';
import { method } from './method.ts';

export const chatMessage = {
  'chat/message/list': method({
    summary:
      'A page of messages, oldest first: the newest page unless `before` or `after` says otherwise. What was compacted is left out unless it is asked for.',
    params: z.strictObject({
      sessionId: SessionField,
      limit: z.int().min(1).max(500).default(100),
      before: SeqField.optional().describe('Only messages before this entry, the nearest ones.'),
      after: SeqField.optional().describe('Only messages after this entry, the nearest ones.'),
      upTo: SeqField.optional().describe(
        'With `after`: not beyond this entry. What a compaction covers is a range.',
      ),
      includeInactive: z.boolean().default(false).describe('Also what was compacted, excluded or removed.'),
      includeExcluded: z.boolean().default(false).describe('Also what somebody excluded.'),
    }),
    result: z.strictObject({
      messages: z.array(MessageRecord),
      before: z.int().nullable().describe('The cursor for older messages; `null` if there are none.'),
      after: z.int().nullable().describe('The cursor for newer messages; `null` if there are none.'),
      head: z.int().describe('The newest entry of the session when this was read.'),
    }),
  }),
  'chat/message/add': method({
    summary: 'Writes a message down. Success means that it is stored.',
    writes: true,
    fails: ['session-trashed', 'lease-held', 'entry-conflict'],
    params: z.strictObject({
      sessionId: SessionField,
      role: Role,
      content: ContentField,
      id: NewIdField,
      model: z.string().max(300).optional(),
      usage: Usage.strict().optional(),
      status: z.enum(['complete', 'interrupted']).optional(),
      meta: z.record(z.string(), Anything).optional(),
      createdAt: z.number().min(0).max(8.64e15).optional(),
    }),
    result: z.strictObject({ message: MessageRecord }),
  }),
  'chat/message/get': method({
    summary: 'One message, with every large value in place.',
    params: z.strictObject({ sessionId: SessionField, id: EntryIdField }),
    result: z.strictObject({ message: MessageRecord }),
  }),
  'chat/message/mark': method({
    summary:
      'Pins messages (they stay in the context word for word), excludes them from it, or takes that back.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      ids: z.array(EntryIdField).min(1).max(500),
      mark: z.enum(['pinned', 'unpinned', 'excluded', 'included']),
    }),
    result: z.strictObject({ messages: z.array(MessageRecord) }),
  }),
} as const;
