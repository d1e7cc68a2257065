import { z } from 'zod';
import { describeTask, type TaskFields } from '../../work/index.ts';
import type { App } from '../app.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { printedTask, TaskRecord } from './work-record.ts';

export const editTask = operation({
  name: 'work/task/edit',
  summary:
    'Adds a task to a feature, changes one or takes it off the board. What is not named stays as it is.',
  writes: true,
  fails: ['entry-invalid'],
  // The log refuses names and texts that it cannot keep.
  params: z.strictObject({
    project: ProjectField,
    feature: z.string(),
    task: z.string(),
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    dependsOn: z.array(z.string()).exactOptional(),
    removed: z.boolean().exactOptional(),
  }),
  result: z.strictObject({ task: TaskRecord }),
  faces: { cli: { 'work task --title': printedTask } },
  run: ({ project, feature, task, ...fields }, app) => writeTask(app, { project, feature, task }, fields),
});

export async function writeTask(
  app: App,
  { project, feature, task }: { project: string; feature: string; task: string },
  fields: TaskFields,
): Promise<{ task: TaskRecord }> {
  const work = await workOf(app, project);
  const set = await work.setTask(feature, task, { ...fields, by: app.access.user });
  return plain({ task: describeTask(await work.feature(feature), set) });
}
