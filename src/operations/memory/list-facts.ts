import { z } from 'zod';
import { fitFacts, readMemory, showFacts } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Budget, FactRecord, named, ProjectName, projectOf, toFact } from './fact-record.ts';

export const listFacts = operation({
  name: 'memory/list',
  summary: 'What a project knows, oldest first, contradictions included.',
  params: z.strictObject({ project: ProjectField }),
  result: z.strictObject({ project: ProjectName, facts: z.array(FactRecord), budget: Budget }),
  faces: { rpc: true },
  async run(params, app) {
    const project = await projectOf(app, params.project);
    const shown = showFacts(await readMemory(app.store, project));
    const { budget } = fitFacts(shown, { ...(project.budget !== undefined && { limit: project.budget }) });
    return { project: named(project), facts: shown.map(toFact), budget: { ...budget } };
  },
});
