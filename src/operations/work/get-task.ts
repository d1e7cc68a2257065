import { z } from 'zod';
import { describeTask } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { printedTask, TaskRecord, WorkReference } from './work-record.ts';

export const getTask = operation({
  name: 'work/task/get',
  summary: 'A task with its state, sessions and moves.',
  fails: ['feature-not-found', 'task-not-found'],
  params: z.strictObject({ project: ProjectField, feature: WorkReference, task: WorkReference }),
  result: z.strictObject({ task: TaskRecord }),
  faces: { help: { 'work task': 'Show a task;' }, cli: { 'work task': printedTask } },
  async run({ project, feature, task }, app) {
    const work = await workOf(app, project);
    const found = await work.task(feature, task);
    return plain({ task: describeTask(await work.feature(feature), found) });
  },
});
