import { z } from 'zod';
import type { MergePreview, SettleBy } from '../../branches/index.ts';
import { CheckpointList, MergeRule, type SessionInfo } from '../../record/index.ts';
import { openSession } from '../../session/index.ts';
import type { App } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { MergeRecord } from './comparison-record.ts';

const BranchFields = {
  branch: SessionField.describe('The session whose conclusions are merged.'),
  into: SessionField.optional().describe(
    'The session they are merged into: the parent of the branch unless given.',
  ),
};

const SettleFields = {
  rule: MergeRule.optional().describe('Settles every conflict that `choices` does not name.'),
  choices: z
    .array(z.strictObject({ conflict: z.int(), side: MergeRule }))
    .default([])
    .describe('Settles single conflicts, by their numbers. The last choice for a conflict counts.'),
  leave: z
    .array(z.union([z.int(), CheckpointList]))
    .default([])
    .describe('Lines that do not come: their numbers in `brings`, or whole lists by name.'),
};

const Settle = z.strictObject(SettleFields);
type Settle = z.output<typeof Settle>;

/** The two sessions of a merge. */
async function findBranches(
  { find }: App,
  { branch, into }: { readonly branch: string; readonly into?: string | undefined },
): Promise<{ into: SessionInfo; branch: SessionInfo }> {
  const theirs = await find(branch);
  const target = into ?? theirs.parent?.session;
  if (target === undefined)
    throw refused(
      'usage',
      `${theirs.id} came from no other session, so say which one to merge it into: --into <session>.`,
    );
  return { branch: theirs, into: await find(target) };
}

/** The conflicts and lines that a caller named by their numbers, checked against a merge as it is now. */
function settleBy({ rule, choices, leave }: Settle, { conflicts, brings }: MergePreview): SettleBy {
  const chosen = new Map<number, MergeRule>(choices.map(({ conflict, side }) => [conflict, side]));
  const lists = brings.filter(({ list }) => leave.includes(list)).map(({ number }) => number);
  const unwanted = new Set([...leave.filter((each) => typeof each === 'number'), ...lists]);
  const isNone = (count: number) => (number: number) => number < 1 || number > count;
  const conflict = [...chosen.keys()].find(isNone(conflicts.length));
  if (conflict !== undefined)
    throw refused('usage', `There is no conflict ${conflict}; there are ${conflicts.length}.`);
  const line = [...unwanted].find(isNone(brings.length));
  if (line !== undefined)
    throw refused('usage', `There is no line ${line} to leave out; ${brings.length} would come.`);
  return { rule, choices: chosen, leave: unwanted };
}

export const mergeBranchOperation = operation({
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

export const previewMergeOperation = operation({
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

export const undoMergeOperation = operation({
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
