import { z } from 'zod';
import { SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { MessageRecord } from '../records/message-record.ts';
import { pageOfMessages } from '../records/page-of-messages.ts';

export const listMessages = operation({
  name: 'chat/message/list',
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
  faces: { rpc: true },
  async run({ sessionId, ...options }, { store, find }) {
    const info = await find(sessionId);
    return { ...(await pageOfMessages(store, info, options)), head: info.head };
  },
});
