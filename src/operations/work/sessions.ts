import { z } from 'zod';
import type { SessionLink } from '../../project/index.ts';
import { AGENT_TYPES } from '../../work/index.ts';
import { ProjectField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { plain, workOfOperation, workWith } from './find-work.ts';
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
    const work = await workOfOperation(app, project);
    const id = await work.getOrCreateSession(type, feature, task, state);
    return plain({ session: await work.describeSession(id) });
  },
});

export const createWorkSessionOperation = operation({
  name: 'work/session/create',
  summary: 'Makes another session for a place, also where one is active.',
  writes: true,
  fails: ['feature-not-found', 'task-not-found'],
  params: openWorkSession.params.extend({
    agent: z
      .enum(AGENT_TYPES)
      .optional()
      .describe('The agent that works in it; that of the type unless given.'),
  }),
  result: openWorkSession.result,
  faces: { cli: { 'work session --new': printedSession } },
  async run({ project, type, feature, task, agent, state }, app) {
    const work = await workOfOperation(app, project);
    const id = await work.createSession(type, feature, task, agent, state);
    return plain({ session: await work.describeSession(id) });
  },
});

export const getWorkSession = operation({
  name: 'work/session/get',
  summary: 'A session of a board, with the size of its next request and how its work stands.',
  fails: ['usage'],
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ session: WorkSessionRecord }),
  faces: {
    cli: {
      'work request --size': { schema: WorkSessionRecord.shape.tokens, of: ({ session }) => session.tokens },
    },
  },
  async run({ sessionId }, app) {
    const { work, session } = await workWith(app, sessionId);
    return plain({ session: await work.describeSession(session) });
  },
});

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
    const work = await workOfOperation(app, project);
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

export const endWorkSession = operation({
  name: 'work/session/end',
  summary: 'Ends the active session of a place: the next one that is asked for is another.',
  writes: true,
  fails: ['feature-not-found', 'task-not-found', 'session-not-found'],
  params: openWorkSession.params,
  result: openWorkSession.result,
  faces: { cli: { 'work session --end': printedSession } },
  async run({ project, type, feature, task, state }, app) {
    const work = await workOfOperation(app, project);
    const active = await work.getActiveSession(feature, task, state, type);
    if (active === undefined) {
      const place = task === undefined ? feature : `${feature}/${task}`;
      throw refused(
        'session-not-found',
        `No ${type} session of ${place} is active in that state: nothing was ended.`,
        { type, feature, ...(task !== undefined && { task }) },
      );
    }
    await work.endSession(active);
    return plain({ session: await work.describeSession(active) });
  },
});
