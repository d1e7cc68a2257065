import { z } from 'zod';
import { markEntries, openSession } from '../../session/index.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';
import { MessageRecord, toMessage } from '../records/message-record.ts';
import { findMessage } from './find-message.ts';

export const markMessages = operation({
  name: 'chat/message/mark',
  summary:
    'Pins messages (they stay in the context word for word), excludes them from it, or takes that back.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    ids: z.array(EntryIdField).min(1).max(500),
    mark: z.enum(['pinned', 'unpinned', 'excluded', 'included']),
  }),
  result: z.strictObject({ messages: z.array(MessageRecord) }),
  faces: { rpc: true },
  async run({ sessionId, ids, mark: name }, app) {
    const { store, find } = app;
    const info = await find(sessionId);
    const entries = await Promise.all(ids.map((id) => findMessage(store, info, id)));
    await using session = await openSession(store, info.id, { mode: 'join' });
    const targets = ids.map((entry) => ({ entry }));
    await markEntries(session, name, targets);
    const now = (await store.session(info.id))!;
    const tree = await readCompactionTree(store, now);
    return { messages: entries.map((entry) => toMessage(entry, now, tree)) };
  },
});
