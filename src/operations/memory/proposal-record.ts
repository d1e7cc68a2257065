import { z } from 'zod';
import { listProposals, type Project, type Proposal, readMemory } from '../../memory/index.ts';
import type { App } from '../app.ts';
import { refused } from '../refused.ts';
import { FactList, Source } from './fact-record.ts';

export const ProposalRecord = z.strictObject({
  id: z.string(),
  text: z.string(),
  list: FactList,
  sources: z.array(Source),
  at: z.number(),
});

export async function openProposals({ store }: App, project: Project): Promise<Proposal[]> {
  const found = await listProposals(store, project, await readMemory(store, project));
  return found.proposals.filter(({ declined }) => !declined);
}

export async function chosenProposals(
  app: App,
  project: Project,
  ids: readonly string[],
): Promise<Proposal[]> {
  const open = new Map((await openProposals(app, project)).map((proposal) => [proposal.id, proposal]));
  return ids.map((id) => {
    const proposal = open.get(id);
    if (proposal) return proposal;
    throw refused('fact-not-found', `There is no proposal ${id} in ${project.name}.`, { fact: id });
  });
}
