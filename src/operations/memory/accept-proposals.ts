import { z } from 'zod';
import { acceptProposals, editProposal, openProject } from '../../memory/index.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import {
  Budget,
  budgetOf,
  FactRecord,
  FactText,
  named,
  ProjectName,
  projectOf,
  sourceOf,
  toFact,
} from './fact-record.ts';
import { chosenProposals, JudgedFields } from './proposal-record.ts';

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
    const source = sourceOf(app);
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
