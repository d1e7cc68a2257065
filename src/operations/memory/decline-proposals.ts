import { z } from 'zod';
import { declineProposals, openProject } from '../../memory/index.ts';
import { operation } from '../operation.ts';
import { named, ProjectName, projectOf, ReasonField, sourceOf } from './fact-record.ts';
import { chosenProposals, JudgedFields } from './proposal-record.ts';

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
      source: sourceOf(app),
      ...(reason !== undefined && { reason }),
    });
    return { project: named(project), declined };
  },
});
