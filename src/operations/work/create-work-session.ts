import { z } from 'zod';
import { AGENT_TYPES } from '../../work/index.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';
import { openWorkSession } from './open-work-session.ts';
import { printedSession } from './work-record.ts';

export const createWorkSession = operation({
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
    const work = await workOf(app, project);
    const id = await work.createSession(type, feature, task, agent, state);
    return plain({ session: await work.describeSession(id) });
  },
});
