import { z } from 'zod';
import { acceptProposals } from '../../memory/index.ts';
import { EntryIdField, ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { named, ProjectName, projectOf, sourceOf } from './fact-record.ts';
import { chosenProposals } from './proposal-record.ts';

export const acceptProjectProposals = operation({
  name: 'memory/accept',
  summary: 'Makes proposals facts.',
  writes: true,
  params: z.strictObject({ project: ProjectField, ids: z.array(EntryIdField).min(1).max(100) }),
  result: z.strictObject({ project: ProjectName, accepted: z.array(z.string()) }),
  faces: { rpc: true },
  async run({ project: name, ids }, app) {
    const project = await projectOf(app, name);
    const facts = await acceptProposals(app.store, project, await chosenProposals(app, project, ids), {
      source: sourceOf(app),
    });
    return { project: named(project), accepted: facts.map(({ id }) => id) };
  },
});
