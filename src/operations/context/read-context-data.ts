import { z } from 'zod';
import { readDocuments, readTodos } from '../document/read-documents.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CompactionRecord, toCompaction } from '../records/compaction-record.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';
import { DocumentRecord, TodoRecord } from '../records/document-record.ts';
import { MessageRecord } from '../records/message-record.ts';
import { allActive } from '../records/page-of-messages.ts';
import { SessionRecord, showSession } from '../records/session-record.ts';

export const readContextData = operation({
  name: 'chat/context/build',
  summary:
    'The raw data of a session, to build a context from or to look at: every active message, whatever its number.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    sessionId: z.string(),
    context: z.strictObject({
      session: SessionRecord,
      messages: z.array(MessageRecord),
      documents: z.array(DocumentRecord),
      todos: z.array(TodoRecord),
      compactions: z.array(CompactionRecord),
    }),
  }),
  faces: { rpc: true },
  async run({ sessionId }, app) {
    const { store } = app;
    const info = await app.find(sessionId);
    const { nodes } = await readCompactionTree(store, info);
    return {
      sessionId: info.id,
      context: {
        session: await showSession(app, info),
        messages: await allActive(store, info),
        documents: await readDocuments(store, info),
        todos: await readTodos(store, info),
        compactions: await Promise.all(nodes.map((node) => toCompaction(store, info, node))),
      },
    };
  },
});
