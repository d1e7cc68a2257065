import { z } from 'zod';
import { describeTask } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { TaskRecord, WorkName } from './work-record.ts';

export const setTask = operation({
  name: 'work/task/set',
  summary: 'Adds a task to a feature, or changes one. What is not named stays as it is.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    feature: WorkName,
    task: WorkName,
    title: z.string().max(400).optional(),
    description: z.string().max(30_000).optional(),
    dependsOn: z.array(WorkName).max(500).optional(),
  }),
  result: z.strictObject({ task: TaskRecord }),
  faces: { rpc: true },
  async run(params, app) {
    const { project, feature, task, title, description, dependsOn } = params;
    const work = await workOf(app, project);
    const set = await work.setTask(feature, task, {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(dependsOn !== undefined && { dependsOn }),
      by: app.access.user,
    });
    return plain({ task: describeTask(await work.feature(feature), set) });
  },
});
