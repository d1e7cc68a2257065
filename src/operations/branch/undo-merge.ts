import { z } from 'zod';
import { openSession } from '../../session/index.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { BranchFields, findBranches } from './settle-fields.ts';

export const undoMerge = operation({
  name: 'branch/merge/undo',
  summary: 'Takes the last merge of a branch back. Nothing is deleted, and the branch can be merged anew.',
  writes: true,
  params: z.strictObject(BranchFields),
  result: z.strictObject({
    into: z.string(),
    branch: z.string(),
    undone: z.string().describe('The entry that held the merge …'),
    seq: z.int().describe('… and its number.'),
  }),
  faces: { cli: { 'merge --undo': 'result' } },
  async run(params, app) {
    const { readMerges, undoMerge: undo } = await import('../../branches/index.ts');
    const { into, branch } = await findBranches(app, params);
    const merges = await readMerges(app.store, [{ info: into, upTo: into.head }]);
    const last = merges.find(({ body }) => body.branch === branch.id);
    if (!last)
      throw refused('usage', `There is nothing to take back: ${branch.id} is not merged into ${into.id}.`);
    // A mark needs no lease: it can be set while another program talks in the session.
    await using session = await openSession(app.store, into.id, { mode: 'join' });
    await undo(session, last.id);
    return { into: into.id, branch: branch.id, undone: last.id, seq: last.seq };
  },
});
