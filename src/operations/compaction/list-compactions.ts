import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CompactionRecord, toCompaction } from '../records/compaction-record.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';

export const listCompactions = operation({
  name: 'chat/compaction/list',
  summary: 'The compactions of a session, in the order they were made. Deleted ones are not among them.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.array(CompactionRecord),
  faces: { rpc: true },
  async run({ sessionId }, { store, find }) {
    const info = await find(sessionId);
    const { nodes } = await readCompactionTree(store, info);
    const records = await Promise.all(nodes.map((node) => toCompaction(store, info, node)));
    return records.sort((a, b) => a.createdAt - b.createdAt || a.seq - b.seq);
  },
});
