import { z } from 'zod';
import { describeFeature } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { FeatureRecord } from './work-record.ts';

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
    const work = await workOf(app, project);
    return plain({ features: (await work.features()).map(describeFeature) });
  },
});
