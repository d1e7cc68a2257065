import { z } from 'zod';
import type { MergePreview, SettleBy } from '../../branches/index.ts';
import { CheckpointList, MergeRule, type SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { SessionField } from '../fields.ts';
import { refused } from '../refused.ts';

export const BranchFields = {
  branch: SessionField.describe('The session whose conclusions are merged.'),
  into: SessionField.optional().describe(
    'The session they are merged into: the parent of the branch unless given.',
  ),
};

export const SettleFields = {
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
export async function findBranches(
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
export function settleBy({ rule, choices, leave }: Settle, { conflicts, brings }: MergePreview): SettleBy {
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
