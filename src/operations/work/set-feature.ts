import { z } from 'zod';
import { describeFeature } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
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
    const work = await workOf(app, project);
    const fields = { ...(name !== undefined && { name }), ...(spec !== undefined && { spec }) };
    const set = await work.setFeature(feature, { ...fields, by: app.access.user });
    return plain({ feature: describeFeature(set) });
  },
});
