import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ComparisonRecord } from './comparison-record.ts';

export const diffBranches = operation({
  name: 'branch/diff',
  summary:
    'Compare what two branches came to since they parted. Decisions, tasks, facts, files, and where the two disagree; changes nothing.',
  params: z.strictObject({
    ours: SessionField,
    theirs: SessionField.describe('Another session of the same family.'),
  }),
  result: ComparisonRecord,
  faces: { cli: { diff: 'result' } },
  async run({ ours, theirs }, { store, find }) {
    const { diffBranches: diff } = await import('../../branches/index.ts');
    return diff(store, await find(ours), await find(theirs));
  },
});
