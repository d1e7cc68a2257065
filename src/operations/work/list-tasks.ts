import { z } from 'zod';
import { describeFeature } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { TaskRecord, WorkReference } from './work-record.ts';

export const listTasks = operation({
  name: 'work/tasks',
  summary: 'The tasks of a feature, or of all features of a project.',
  fails: ['feature-not-found'],
  params: z.strictObject({ project: ProjectField, feature: WorkReference.optional() }),
  result: z.strictObject({ tasks: z.array(TaskRecord) }),
  faces: {
    help: { 'work tasks': 'List the tasks of a feature, or of all.' },
    rpc: true,
    cli: { 'work tasks': { schema: z.array(TaskRecord), of: ({ tasks }) => tasks } },
  },
  async run({ project, feature }, app) {
    const work = await workOf(app, project);
    const all = feature === undefined ? await work.features() : [await work.feature(feature)];
    return plain({ tasks: all.flatMap((one) => describeFeature(one).tasks) });
  },
});
