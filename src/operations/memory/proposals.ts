import { z } from 'zod';
import {
  acceptProposals,
  declineProposals,
  editProposal,
  listProposals,
  lookUpProposals,
  openProject,
  type Project,
  type Proposal,
  readMemory,
} from '../../project/index.ts';
import type { App } from '../app.ts';
import { EntryIdField, ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import {
  Budget,
  budgetOf,
  FactList,
  FactRecord,
  FactText,
  named,
  ProjectName,
  projectOf,
  ReasonField,
  Source,
  sourceOfFact,
  toFact,
} from './fact-record.ts';

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
const JudgedFields = z.strictObject({
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
async function chosenProposals(
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

export const listProjectProposals = operation({
  name: 'memory/proposals',
  summary: 'Facts that could be written down: proposed by agents, or found in summaries. Newest first.',
  params: z.strictObject({
    project: ProjectField,
    limit: z.int().min(1).default(100),
    declined: z.boolean().default(false).describe('The declined ones in place of the open ones.'),
  }),
  result: z.strictObject({
    project: ProjectName,
    proposals: z.array(ProposalRecord),
    total: z.int().describe('How many there are beyond the limit, too.'),
    sessions: z.int().describe('Sessions of the project that have a summary.'),
    read: z.int().describe('The newest of those, which were looked at.'),
  }),
  faces: {
    help: {
      'memory proposals':
        'List what could be written down: facts and decisions from summaries, and what agents proposed.',
    },
    rpc: true,
    cli: { 'memory proposals': 'result' },
  },
  async run({ project: name, limit, declined }, app) {
    const project = await projectOf(app, name);
    const found = await listProposals(app.store, project, await readMemory(app.store, project));
    const asked = found.proposals.filter((proposal) => proposal.declined === declined);
    return {
      project: named(project),
      proposals: asked.slice(0, limit).map((proposal) => ({
        ...proposal,
        sources: proposal.sources.map((source) => ({ ...source })),
      })),
      total: asked.length,
      sessions: found.sessions,
      read: found.read,
    };
  },
});

export const acceptProjectProposals = operation({
  name: 'memory/accept',
  summary: 'Makes proposals facts.',
  writes: true,
  fails: ['fact-not-found'],
  params: JudgedFields.extend({
    text: FactText.optional().describe(
      'The fact in other words; for one proposal. Its own stay in the history.',
    ),
  }),
  result: z.strictObject({
    project: ProjectName,
    accepted: z.array(z.string()),
    facts: z.array(FactRecord).describe('The same, as the project knows them now.'),
    budget: Budget,
  }),
  faces: {
    help: { 'memory accept': 'Write proposals down as facts, with where they were said.' },
    rpc: true,
    cli: {
      'memory accept': {
        schema: z.strictObject({ accepted: z.array(FactRecord), budget: Budget }),
        of: ({ facts, budget }) => ({ accepted: facts, budget }),
      },
    },
  },
  async run({ project: name, text, ...which }, app) {
    const { store } = app;
    const place = await projectOf(app, name);
    const chosen = await chosenProposals(app, place, which);
    if (text !== undefined && chosen.length !== 1)
      throw refused('usage', 'Other words are for one proposal: name it alone.');
    const project = await openProject(store, place);
    const source = sourceOfFact(app);
    const accepted =
      text === undefined
        ? await acceptProposals(store, project, chosen, { source })
        : [(await editProposal(store, project, chosen[0]!, text, { source })).fact];
    return {
      project: named(project),
      accepted: accepted.map(({ id }) => id),
      facts: accepted.map(toFact),
      budget: await budgetOf(store, project),
    };
  },
});

export const declineProjectProposals = operation({
  name: 'memory/decline',
  summary: 'Turns proposals down; they are not proposed again.',
  writes: true,
  fails: ['fact-not-found'],
  params: JudgedFields.extend({ reason: ReasonField }),
  result: z.strictObject({ project: ProjectName, declined: z.array(z.string()) }),
  faces: {
    help: { 'memory decline': 'Turn proposals down. They are not proposed again.' },
    rpc: true,
    cli: { 'memory decline': 'result' },
  },
  async run({ project: name, reason, ...which }, app) {
    const place = await projectOf(app, name);
    const chosen = await chosenProposals(app, place, which);
    const project = await openProject(app.store, place);
    const declined = await declineProposals(app.store, project, chosen, {
      source: sourceOfFact(app),
      ...(reason !== undefined && { reason }),
    });
    return { project: named(project), declined };
  },
});
