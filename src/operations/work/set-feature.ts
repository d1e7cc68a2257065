import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { writeFeature } from './edit-feature.ts';
import { FeatureRecord, WorkName } from './work-record.ts';

export const setFeature = operation({
  name: 'work/feature/set',
  summary: 'Adds a feature, or changes one. What is not named stays as it is.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    feature: WorkName,
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
