import { z } from 'zod';
import { operation } from '../operation.ts';
import { MergeRecord } from './comparison-record.ts';
import { BranchFields, findBranches, SettleFields, settleBy } from './settle-fields.ts';

export const mergeBranch = operation({
  name: 'branch/merge',
  summary:
    'Brings what a branch came to into a session, as one entry. Conflicts that nothing settles are refused, and merging twice writes nothing.',
  writes: true,
  fails: ['merge-conflict', 'merge-stale', 'lease-held'],
  params: z.strictObject({
    ...BranchFields,
    ...SettleFields,
    plan: z
      .string()
      .optional()
      .describe('Of the preview that was seen: another merge than that is `merge-stale`.'),
  }),
  result: MergeRecord,
  faces: {
    help: { merge: 'Bring what a branch came to into the session it came from.' },
    cli: { 'merge --yes': 'result' },
  },
  async run({ plan, ...params }, app) {
    const { mergeBranch: merge, previewMerge } = await import('../../branches/index.ts');
    const { into, branch } = await findBranches(app, params);
    const settle = settleBy(params, await previewMerge(app.store, into, branch));
    const { entry, ...merged } = await app.sessions.use(into.id, (session) =>
      merge(session, branch, { ...settle, plan }),
    );
    return { merged: entry !== undefined, entry: entry?.id ?? null, seq: entry?.seq ?? null, ...merged };
  },
});
