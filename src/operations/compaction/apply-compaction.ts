import { z } from 'zod';
import { operation } from '../operation.ts';
import { CompactionRecord } from '../records/compaction-record.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';
import { collapseMarks, markCompaction } from './mark-compaction.ts';

/** In effect: what was opened for it is opened no longer. */
export const applyCompaction = operation({
  name: 'chat/compaction/apply',
  summary:
    'Puts a stored compaction into effect: its messages leave the context and its summary stands in for them.',
  writes: true,
  params: z.strictObject(CompactionFields),
  result: z.strictObject({ compaction: CompactionRecord, messagesDeactivated: z.int() }),
  faces: { rpc: true },
  async run(named, app) {
    const { info, node } = await findCompaction(app, named);
    const { compaction, changed } = await markCompaction(app, { info, node }, () => collapseMarks(node));
    return { compaction, messagesDeactivated: -changed };
  },
});
