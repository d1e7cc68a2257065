import { z } from 'zod';
import { writeSummary } from '../../compaction/index.ts';
import { newEntryId } from '../../record/index.ts';
import { EntryIdField, NewIdField, SessionField } from '../fields.ts';
import { findMessage } from '../message/find-message.ts';
import { operation } from '../operation.ts';
import { CompactionRecord, toCompaction } from '../records/compaction-record.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';

export const createCompaction = operation({
  name: 'chat/compaction/create',
  summary:
    'Stores a summary that you wrote for a run of messages. It takes effect with `chat/compaction/apply`, or at once, in one step, with `apply`.',
  writes: true,
  fails: ['entry-not-found', 'entry-conflict'],
  params: z.strictObject({
    sessionId: SessionField,
    summary: z.string().min(1).max(200_000).describe('Markdown.'),
    startMessageId: EntryIdField.describe('The first message it stands in for.'),
    endMessageId: EntryIdField.describe('The last one.'),
    apply: z.boolean().default(false),
    id: NewIdField,
    messagesCompacted: z.int().min(0).optional().describe('Counted by the server; taken for older clients.'),
    originalTokenCount: z.int().min(0).optional().describe('Likewise.'),
    compressedTokenCount: z.int().min(0).optional().describe('Likewise.'),
  }),
  result: z.strictObject({ compaction: CompactionRecord }),
  faces: { rpc: true },
  async run(params, { store, sessions, find }) {
    const { sessionId, apply, summary: markdown, startMessageId, endMessageId, id = newEntryId() } = params;
    const asked = await find(sessionId);
    const { seq: from } = await findMessage(store, asked, startMessageId);
    const { seq: to } = await findMessage(store, asked, endMessageId);
    await sessions.use(asked.id, (session) =>
      writeSummary(session, { id, markdown, covers: { from, to }, apply }),
    );
    const info = (await store.session(asked.id))!;
    const node = (await readCompactionTree(store, info)).find(id)!;
    return { compaction: await toCompaction(store, info, node) };
  },
});
