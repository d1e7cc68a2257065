import { isThroughlineError } from '../../errors.ts';
import type { EntryId, NewEntry } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type MemoryFact, readMemory } from '../facts/read-memory.ts';
import { editFact, type FactOptions, type WrittenFact } from '../facts/write-facts.ts';
import { openProject } from '../projects/open-project.ts';
import type { Project } from '../projects/project.ts';
import type { Proposal } from './list-proposals.ts';

/** Makes proposals facts. What a summary suggested is written down now, with where it was said. */
export async function acceptProposals(
  store: Store,
  project: Project,
  proposals: readonly Proposal[],
  { source, now = Date.now }: FactOptions,
): Promise<MemoryFact[]> {
  const opened = await openProject(store, project, { now });
  const at = now();
  await state(store, opened, proposals, at);
  await store.append(
    opened.id,
    proposals.map(({ id }): NewEntry => ({ at, body: { kind: 'fact', step: 'accepted', fact: id, source } })),
  );
  const { facts } = await readMemory(store, opened);
  return proposals.map(({ id }) => facts.get(id)!);
}

/** Turns proposals down. Of what a summary suggested only the id is kept, so that it is not proposed again. */
export async function declineProposals(
  store: Store,
  project: Project,
  proposals: readonly Proposal[],
  { source, reason, now = Date.now }: FactOptions & { readonly reason?: string },
): Promise<EntryId[]> {
  const opened = await openProject(store, project, { now });
  const at = now();
  const body = { kind: 'fact', step: 'declined', source, ...(reason !== undefined && { reason }) } as const;
  await store.append(
    opened.id,
    proposals.map(({ id }): NewEntry => ({ at, body: { ...body, fact: id } })),
  );
  return proposals.map(({ id }) => id);
}

/** Accepts a proposal in other words. Its own stay in the history. */
export async function editProposal(
  store: Store,
  project: Project,
  proposal: Proposal,
  text: string,
  options: FactOptions,
): Promise<WrittenFact> {
  const opened = await openProject(store, project, options);
  await state(store, opened, [proposal], options.now?.() ?? Date.now());
  const { facts } = await readMemory(store, opened);
  return editFact(store, opened, facts.get(proposal.id)!, text, options);
}

/** Their words have to be in the log before anything is said about them. Another process may have written them. */
async function state(
  store: Store,
  project: Project,
  proposals: readonly Proposal[],
  at: number,
): Promise<void> {
  const { facts } = await readMemory(store, project);
  for (const { id, text, list, sources } of proposals) {
    if (facts.has(id)) continue;
    try {
      await store.append(project.id, [
        { id, at, body: { kind: 'fact', step: 'proposed', text, list, source: sources[0]! } },
      ]);
    } catch (error) {
      // The same words, found in another session by another process.
      if (!isThroughlineError(error, 'entry-conflict')) throw error;
    }
  }
}
