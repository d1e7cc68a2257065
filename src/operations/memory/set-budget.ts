import { z } from 'zod';
import { setBudget } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ProjectRecord, toProject } from '../project/project-record.ts';
import { Budget, budgetOf, projectOf } from './fact-record.ts';

export const setFactBudget = operation({
  name: 'memory/budget',
  summary: "Sets how many tokens a project's facts may take in a context.",
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    tokens: z.int().min(1).optional().describe('The usual number again unless given.'),
  }),
  result: z.strictObject({ project: ProjectRecord, budget: Budget }),
  faces: {
    help: { 'memory budget': "Set how many tokens a project's facts may take in a context." },
    cli: { 'memory budget': 'result' },
  },
  async run({ project: name, tokens }, app) {
    const project = await setBudget(app.store, await projectOf(app, name), tokens);
    return { project: toProject(project), budget: await budgetOf(app.store, project) };
  },
});
