import { z } from 'zod';
import { describeFeature, describeTask } from '../../project/index.ts';
import type { TaskFields } from '../../work/index.ts';
import type { App } from '../app.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOfOperation } from './find-work.ts';
import { printedTask, TaskRecord, WorkNameField, WorkReference, WorkState } from './work-record.ts';

export const setTaskOperation = operation({
  name: 'work/task/set',
  summary: 'Adds a task to a feature, or changes one. What is not named stays as it is.',
  writes: true,
  fails: ['feature-not-found'],
  params: z.strictObject({
    project: ProjectField,
    feature: WorkNameField,
    task: WorkNameField,
    title: z.string().max(400).optional(),
    description: z.string().max(30_000).optional(),
    dependsOn: z.array(WorkNameField).max(500).optional(),
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

async function writeTask(
  app: App,
  { project, feature, task }: { project: string; feature: string; task: string },
  fields: TaskFields,
): Promise<{ task: TaskRecord }> {
  const work = await workOfOperation(app, project);
  const set = await work.setTask(feature, task, { ...fields, by: app.access.user });
  return plain({ task: describeTask(await work.feature(feature), set) });
}

export const moveTaskOperation = operation({
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
    const work = await workOfOperation(app, project);
    const how = { by: app.access.user, force, ...(reason !== undefined && { reason }) };
    const moved = await work.moveTask(feature, task, to, how);
    return plain({ task: describeTask(await work.feature(feature), moved) });
  },
});

export const getTask = operation({
  name: 'work/task/get',
  summary: 'A task with its state, sessions and moves.',
  fails: ['feature-not-found', 'task-not-found'],
  params: z.strictObject({ project: ProjectField, feature: WorkReference, task: WorkReference }),
  result: z.strictObject({ task: TaskRecord }),
  faces: { help: { 'work task': 'Show a task;' }, cli: { 'work task': printedTask } },
  async run({ project, feature, task }, app) {
    const work = await workOfOperation(app, project);
    const found = await work.task(feature, task);
    return plain({ task: describeTask(await work.feature(feature), found) });
  },
});

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
    const work = await workOfOperation(app, project);
    const all = feature === undefined ? await work.features() : [await work.feature(feature)];
    return plain({ tasks: all.flatMap((one) => describeFeature(one).tasks) });
  },
});
