import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { WorkName, WorkSessionRecord, WorkState } from './work-record.ts';

export const listWorkSessions = operation({
  name: 'work/sessions',
  summary:
    'The sessions of a feature or a task, with what their next request would take and how their work stands.',
  params: z.strictObject({
    project: ProjectField,
    feature: WorkName,
    task: WorkName.optional(),
    state: WorkState.optional(),
  }),
  result: z.strictObject({ sessions: z.array(WorkSessionRecord) }),
  faces: { rpc: true },
  async run({ project, feature, task, state }, app) {
    const work = await workOf(app, project);
    const links = await work.sessions(feature, task, state);
    return plain({ sessions: await Promise.all(links.map(({ session }) => work.describeSession(session))) });
  },
});
