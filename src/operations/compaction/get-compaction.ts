import { z } from 'zod';
import { operation } from '../operation.ts';
import { CompactionRecord, toCompaction } from '../records/compaction-record.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';

export const getCompaction = operation({
  name: 'chat/compaction/get',
  summary: 'One compaction; an error if there is none.',
  fails: ['entry-not-found'],
  params: z.strictObject(CompactionFields),
  result: z.strictObject({ compaction: CompactionRecord }),
  faces: { rpc: true },
  async run(named, app) {
    const { info, node } = await findCompaction(app, named);
    return { compaction: await toCompaction(app.store, info, node) };
  },
});
