import { z } from 'zod';
import { operation } from '../operation.ts';
import { CompactionRecord } from '../records/compaction-record.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';
import { collapseMarks, isOpen, markCompaction } from './mark-compaction.ts';

export const collapseCompaction = operation({
  name: 'chat/compaction/collapse',
  summary: 'Hides the messages of a compaction again: the reverse of `expand`.',
  writes: true,
  params: z.strictObject(CompactionFields),
  result: z.strictObject({ compaction: CompactionRecord, messagesDeactivated: z.int() }),
  faces: { rpc: true },
  async run(named, app) {
    const { info, node } = await findCompaction(app, named);
    const { compaction, changed } = await markCompaction(app, { info, node }, (tree) => [
      ...collapseMarks(node),
      ...tree.below(node.entry.id).filter(isOpen).flatMap(collapseMarks),
    ]);
    return { compaction, messagesDeactivated: -changed };
  },
});
