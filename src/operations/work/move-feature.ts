import { z } from 'zod';
import { describeFeature } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { FeatureRecord, printedFeature, WorkReference } from './work-record.ts';

export const moveFeature = operation({
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
    const work = await workOf(app, project);
    const how = { by: app.access.user, force, ...(reason !== undefined && { reason }) };
    return plain({ feature: describeFeature(await work.moveFeature(feature, to, how)) });
  },
});
