import { z } from 'zod';
import { describeFeature } from '../../project/index.ts';
import type { FeatureFields } from '../../work/index.ts';
import type { App } from '../app.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOfOperation } from './find-work.ts';
import { FeatureRecord, printedFeature, WorkNameField, WorkReference } from './work-record.ts';

export const setFeatureOperation = operation({
  name: 'work/feature/set',
  summary: 'Adds a feature, or changes one. What is not named stays as it is.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    feature: WorkNameField,
    name: z.string().max(200).optional(),
    spec: z.string().max(30_000).nullable().optional(),
  }),
  result: z.strictObject({ feature: FeatureRecord }),
  faces: { rpc: true },
  async run({ project, feature, name, spec }, app) {
    const fields = { ...(name !== undefined && { name }), ...(spec !== undefined && { spec }) };
    return writeFeature(app, { project, feature }, fields);
  },
});

export const editFeature = operation({
  name: 'work/feature/edit',
  summary:
    'Adds a feature, changes one or takes it off the board, and says where its files are. What is not named stays as it is.',
  writes: true,
  fails: ['entry-invalid'],
  // The log refuses names and texts that it cannot keep.
  params: z.strictObject({
    project: ProjectField,
    feature: z.string(),
    name: z.string().exactOptional(),
    spec: z.string().exactOptional(),
    specFile: z.string().exactOptional().describe('A file in its folder, read again when it changes.'),
    folder: z.string().exactOptional().describe('The whole path of its work tree.'),
    branch: z.string().exactOptional(),
    removed: z.boolean().exactOptional(),
  }),
  result: z.strictObject({ feature: FeatureRecord }),
  faces: { cli: { 'work feature --name': printedFeature } },
  run: ({ project, feature, ...fields }, app) => writeFeature(app, { project, feature }, fields),
});

async function writeFeature(
  app: App,
  { project, feature }: { project: string; feature: string },
  fields: FeatureFields,
): Promise<{ feature: FeatureRecord }> {
  const work = await workOfOperation(app, project);
  const set = await work.setFeature(feature, { ...fields, by: app.access.user });
  return plain({ feature: describeFeature(set) });
}

export const moveFeatureOperation = operation({
  name: 'work/feature/move',
  summary:
    'Moves a feature to another state. A step that the workflow does not have is refused, unless forced.',
  writes: true,
  fails: ['feature-not-found', 'transition-refused'],
  params: z.strictObject({
    project: ProjectField,
    feature: WorkReference,
    to: WorkReference,
    reason: z.string().max(2000).optional(),
    force: z.boolean().default(false),
  }),
  result: z.strictObject({ feature: FeatureRecord }),
  faces: { cli: { 'work move <feature> <state>': printedFeature } },
  async run({ project, feature, to, reason, force }, app) {
    const work = await workOfOperation(app, project);
    const how = { by: app.access.user, force, ...(reason !== undefined && { reason }) };
    return plain({ feature: describeFeature(await work.moveFeature(feature, to, how)) });
  },
});

export const getFeature = operation({
  name: 'work/feature/get',
  summary: 'A feature with its tasks, states and sessions.',
  fails: ['feature-not-found'],
  params: z.strictObject({ project: ProjectField, feature: WorkReference }),
  result: z.strictObject({ feature: FeatureRecord }),
  faces: { help: { 'work feature': 'Show a feature;' }, cli: { 'work feature': printedFeature } },
  async run({ project, feature }, app) {
    const work = await workOfOperation(app, project);
    return plain({ feature: describeFeature(await work.feature(feature)) });
  },
});

export const listFeatures = operation({
  name: 'work/features',
  summary: 'The board of a project: its features with their tasks, states and sessions.',
  params: z.strictObject({ project: ProjectField }),
  result: z.strictObject({ features: z.array(FeatureRecord) }),
  faces: {
    help: {
      work: 'Show the work of a project: its features, their tasks by state, and their sessions.',
      'work features': 'List the features of the project.',
    },
    rpc: true,
    cli: {
      work: 'result',
      'work features': { schema: z.array(FeatureRecord), of: ({ features }) => features },
    },
  },
  async run({ project }, app) {
    const work = await workOfOperation(app, project);
    return plain({ features: (await work.features()).map(describeFeature) });
  },
});
