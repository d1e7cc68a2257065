import { z } from 'zod';
import { operation } from '../operation.ts';
import { MergeRecord } from './comparison-record.ts';
import { BranchFields, findBranches, SettleFields, settleBy } from './settle-fields.ts';

export const previewMerge = operation({
  name: 'branch/merge/preview',
  summary: 'Shows what merging a branch into a session would bring, drop and ask. Writes nothing.',
  params: z.strictObject({ ...BranchFields, ...SettleFields }),
  result: MergeRecord,
  faces: { cli: { merge: 'result' } },
  async run(params, app) {
    const { previewMerge: preview } = await import('../../branches/index.ts');
    const { into, branch } = await findBranches(app, params);
    const settle = settleBy(params, await preview(app.store, into, branch));
    return { merged: false, entry: null, seq: null, ...(await preview(app.store, into, branch, settle)) };
  },
});
