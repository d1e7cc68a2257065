import { z } from 'zod';
import { declineProposals } from '../../memory/index.ts';
import { EntryIdField, ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { named, ProjectName, projectOf, sourceOf } from './fact-record.ts';
import { chosenProposals } from './proposal-record.ts';

export const declineProjectProposals = operation({
  name: 'memory/decline',
  summary: 'Turns proposals down; they are not proposed again.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    ids: z.array(EntryIdField).min(1).max(100),
    reason: z.string().max(2000).optional(),
  }),
  result: z.strictObject({ project: ProjectName, declined: z.array(z.string()) }),
  faces: { rpc: true },
  async run({ project: name, ids, reason }, app) {
    const project = await projectOf(app, name);
    const declined = await declineProposals(app.store, project, await chosenProposals(app, project, ids), {
      source: sourceOf(app),
      ...(reason !== undefined && { reason }),
    });
    return { project: named(project), declined };
  },
});
