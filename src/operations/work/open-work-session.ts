import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { printedSession, WorkReference, WorkSessionRecord, WorkState, WorkType } from './work-record.ts';

export const openWorkSession = operation({
  name: 'work/session/open',
  summary: 'Gives the session to work in: the active one of the place, or a new one.',
  writes: true,
  fails: ['feature-not-found', 'task-not-found'],
  params: z.strictObject({
    project: ProjectField,
    type: WorkType,
    feature: WorkReference,
    task: WorkReference.optional(),
    state: WorkReference.optional().describe(WorkState.description!),
  }),
  result: z.strictObject({ session: WorkSessionRecord }),
  faces: {
    help: { 'work session': 'Give the session to work in: the active one of the place, or a new one.' },
    rpc: true,
    cli: { 'work session': printedSession },
  },
  async run(params, app) {
    const { project, type, feature, task, state } = params;
    const work = await workOf(app, project);
    const id = await work.getOrCreateSession(type, feature, task, state);
    return plain({ session: await work.describeSession(id) });
  },
});
