import { z } from 'zod';
import { describeTask } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { printedTask, TaskRecord, WorkReference, WorkState } from './work-record.ts';

export const moveTask = operation({
  name: 'work/task/move',
  summary: 'Moves a task to another state. A step that the workflow does not have is refused, unless forced.',
  writes: true,
  fails: ['feature-not-found', 'task-not-found', 'transition-refused'],
  params: z.strictObject({
    project: ProjectField,
    feature: WorkReference,
    task: WorkReference,
    to: WorkReference.describe(WorkState.description!),
    reason: z.string().max(2000).optional(),
    force: z.boolean().default(false),
  }),
  result: z.strictObject({ task: TaskRecord }),
  faces: {
    help: { 'work move': 'Move a task, or a feature, to another state.' },
    rpc: true,
    cli: { 'work move <feature> <task> <state>': printedTask },
  },
  async run(params, app) {
    const { project, feature, task, to, reason, force } = params;
    const work = await workOf(app, project);
    const how = { by: app.access.user, force, ...(reason !== undefined && { reason }) };
    const moved = await work.moveTask(feature, task, to, how);
    return plain({ task: describeTask(await work.feature(feature), moved) });
  },
});
