import { z } from 'zod';
import type { SessionLink } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { plain, workOf } from './find-work.ts';
import { WorkReference, WorkSessionRecord } from './work-record.ts';

const ListedWorkSession = WorkSessionRecord.extend({
  ended: z.boolean().describe('True if the next one that is asked for is another.'),
}).meta({ id: 'ListedWorkSession' });

export const listWorkSessions = operation({
  name: 'work/sessions',
  summary:
    'The sessions of a task, of a feature or of all features, with what their next request would take and how their work stands.',
  fails: ['feature-not-found', 'task-not-found'],
  params: z.strictObject({
    project: ProjectField,
    feature: WorkReference.optional(),
    task: WorkReference.optional().describe('A task of the feature.'),
    state: WorkReference.optional().describe('Only those for this state of the task.'),
  }),
  result: z.strictObject({ sessions: z.array(ListedWorkSession) }),
  faces: {
    help: {
      'work sessions': 'List the sessions of a feature or a task, with what their next request would take.',
    },
    rpc: true,
    cli: { 'work sessions': { schema: z.array(ListedWorkSession), of: ({ sessions }) => sessions } },
  },
  async run({ project, feature, task, state }, app) {
    const work = await workOf(app, project);
    if (feature === undefined && task !== undefined) throw refused('usage', 'Name the feature of the task.');
    const features = feature === undefined ? (await work.features()).map(({ id }) => id) : [feature];
    const links = await Promise.all(features.map((id) => work.sessions(id, task, state)));
    const describe = async ({ session, ended }: SessionLink) => ({
      ...(await work.describeSession(session)),
      ended,
    });
    return plain({ sessions: await Promise.all(links.flat().map(describe)) });
  },
});
