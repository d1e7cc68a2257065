import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { writeTask } from './edit-task.ts';
import { TaskRecord, WorkName } from './work-record.ts';

export const setTask = operation({
  name: 'work/task/set',
  summary: 'Adds a task to a feature, or changes one. What is not named stays as it is.',
  writes: true,
  fails: ['feature-not-found'],
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
    const fields = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(dependsOn !== undefined && { dependsOn }),
    };
    return writeTask(app, { project, feature, task }, fields);
  },
});
