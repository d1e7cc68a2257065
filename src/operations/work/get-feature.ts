import { z } from 'zod';
import { describeFeature } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { FeatureRecord, printedFeature, WorkReference } from './work-record.ts';

export const getFeature = operation({
  name: 'work/feature/get',
  summary: 'A feature with its tasks, states and sessions.',
  fails: ['feature-not-found'],
  params: z.strictObject({ project: ProjectField, feature: WorkReference }),
  result: z.strictObject({ feature: FeatureRecord }),
  faces: { help: { 'work feature': 'Show a feature;' }, cli: { 'work feature': printedFeature } },
  async run({ project, feature }, app) {
    const work = await workOf(app, project);
    return plain({ feature: describeFeature(await work.feature(feature)) });
  },
});
