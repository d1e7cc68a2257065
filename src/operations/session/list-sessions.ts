import { z } from 'zod';
import { NarrowingFields, Place, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { describedSession, SessionDescription, SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { pageOfSessions } from './page-of-sessions.ts';

export const listSessions = operation({
  name: 'chat/session/list',
  summary: 'Sessions, the one with the newest message first, a page at a time.',
  params: z.strictObject({
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(1000).optional().describe('From the previous page.'),
    place: Place.default('active').describe('Where to look: in the list, among the hidden, or in the trash.'),
    project: NarrowingFields.project,
    find: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Words that are part of the title or of a tag, whatever their case and accents.'),
    tag: NarrowingFields.tag,
    agent: NarrowingFields.agent,
    spoken: z
      .boolean()
      .default(false)
      .describe('Without sessions in which nothing was said and that were given no title.'),
    parent: SessionField.optional().describe('Only what was forked or resumed from this session.'),
  }),
  result: z.strictObject({
    sessions: z.array(SessionRecord),
    cursor: z.string().nullable().describe('For the next page; `null` on the last.'),
  }),
  faces: {
    help: { sessions: 'List sessions, newest first.' },
    rpc: true,
    cli: {
      sessions: {
        schema: z.array(SessionDescription),
        of: ({ sessions }) => sessions.map(describedSession),
      },
    },
    mcp: ['sessions'],
  },
  async run({ parent, cursor, project, find, tag, agent, ...query }, app) {
    const page = await pageOfSessions(app, {
      ...query,
      ...(cursor !== undefined && { cursor }),
      ...(project !== undefined && { project }),
      ...(find !== undefined && { find }),
      ...(tag !== undefined && { tag }),
      ...(agent !== undefined && { agent }),
      ...(parent !== undefined && { parent: (await app.find(parent)).id }),
    });
    const sessions = await Promise.all(page.sessions.map((info) => showSession(app, info)));
    return { sessions, cursor: page.cursor ?? null };
  },
});
