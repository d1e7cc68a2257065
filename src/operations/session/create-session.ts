import { z } from 'zod';
import { createSession as create } from '../../session/index.ts';
import { operation } from '../operation.ts';
import { SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { asNew, BirthFields, birthOf, NewId } from './label-fields.ts';

export const createSession = operation({
  name: 'chat/session/create',
  summary: 'Starts a session.',
  writes: true,
  fails: ['session-exists', 'session-gone', 'session-id-invalid'],
  params: z.strictObject({
    id: z.string().min(1).max(128).optional().describe('Made from the agent and the time if not given.'),
    ...BirthFields,
  }),
  result: z.strictObject({ id: NewId, session: SessionRecord }),
  faces: { rpc: true },
  async run({ id, ...fields }, app) {
    const birth = { ...(id !== undefined && { id }), ...(await birthOf(fields, app)) };
    await using session = await asNew(app, id, () => create(app.store, birth, { mode: 'join' }));
    return { id: session.id, session: await showSession(app, session.info) };
  },
});
