import { z } from 'zod';
import {
  listProposals,
  lookUpProposals,
  type Project,
  type Proposal,
  readMemory,
} from '../../memory/index.ts';
import type { App } from '../app.ts';
import { EntryIdField, ProjectField } from '../fields.ts';
import { refused } from '../refused.ts';
import { FactList, Source } from './fact-record.ts';

export const ProposalRecord = z.strictObject({
  id: z.string(),
  text: z.string(),
  list: FactList,
  sources: z.array(Source),
  at: z.number(),
  declined: z.boolean(),
});
export type ProposalRecord = z.infer<typeof ProposalRecord>;

/** The parameters of a verdict: the proposals by their ids, or all that are open. */
export const JudgedFields = z.strictObject({
  project: ProjectField,
  ids: z
    .array(EntryIdField)
    .min(1)
    .max(1000)
    .optional()
    .describe('The proposals; if one is not there, nothing is done to the others.'),
  all: z.boolean().default(false).describe('In place of `ids`: every proposal that is not declined.'),
});

/** The proposals that a verdict is about, each once. A declined one can be named: a verdict may change. */
export async function chosenProposals(
  { store }: App,
  project: Project,
  { ids, all }: Pick<z.output<typeof JudgedFields>, 'ids' | 'all'>,
): Promise<readonly Proposal[]> {
  if ((ids !== undefined) === all)
    throw refused('usage', 'Name proposals by "ids", or give "all", but not both.');
  if (ids !== undefined) return lookUpProposals(store, project, ids);
  const { proposals } = await listProposals(store, project, await readMemory(store, project));
  return proposals.filter(({ declined }) => !declined);
}
