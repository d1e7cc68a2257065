import { z } from 'zod';
import { describeFeature, type FeatureFields } from '../../work/index.ts';
import type { App } from '../app.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { FeatureRecord, printedFeature } from './work-record.ts';

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

export async function writeFeature(
  app: App,
  { project, feature }: { project: string; feature: string },
  fields: FeatureFields,
): Promise<{ feature: FeatureRecord }> {
  const work = await workOf(app, project);
  const set = await work.setFeature(feature, { ...fields, by: app.access.user });
  return plain({ feature: describeFeature(set) });
}
