import { z } from 'zod';
import { findReachable } from '../access.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { describedSession, SessionDescription, SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { ProjectRecord, toProject } from './project-record.ts';

export const showProject = operation({
  name: 'project/show',
  summary: 'A project: its folders, and its sessions.',
  fails: ['project-not-found', 'project-ambiguous'],
  params: z.strictObject({ project: ProjectField }),
  result: z.strictObject({ project: ProjectRecord, sessions: z.array(SessionRecord) }),
  faces: {
    help: {
      'projects show': 'Show a project: its folders, and its sessions, numbered for the next command.',
    },
    cli: {
      'projects show': {
        schema: ProjectRecord.extend({ sessions: z.array(SessionDescription) }),
        of: ({ project, sessions }) => ({ ...project, sessions: sessions.map(describedSession) }),
      },
    },
  },
  async run({ project: reference }, app) {
    const { sessionsOf } = await import('../../memory/index.ts');
    const project = await findReachable(app.store, app.access, reference);
    const sessions = await sessionsOf(app.store, project);
    return {
      project: toProject(project),
      sessions: await Promise.all(sessions.map((info) => showSession(app, info))),
    };
  },
});
