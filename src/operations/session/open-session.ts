import { z } from 'zod';
import { getOrCreateSession } from '../../session/index.ts';
import { sessionExists } from '../../store/index.ts';
import { isShown } from '../access.ts';
import { operation } from '../operation.ts';
import { SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { asNew, BirthFields, birthOf, NewId } from './label-fields.ts';

export const openSession = operation({
  name: 'chat/session/open',
  summary:
    'The session with exactly this id; started now, with the other fields, if there is none. Any number of first calls at once give one session.',
  writes: true,
  fails: ['session-exists', 'session-gone', 'session-id-invalid'],
  params: z.strictObject({
    id: z.string().min(1).max(128).describe('Of your own: one for each user, for example.'),
    ...BirthFields,
  }),
  result: z.strictObject({
    id: NewId,
    session: SessionRecord,
    created: z.boolean().describe('Whether this call started it. If not, the other fields changed nothing.'),
  }),
  faces: { rpc: true },
  async run({ id, ...fields }, app) {
    const birth = await birthOf(fields, app);
    const { info, created } = await asNew(app, id, () => getOrCreateSession(app.store, id, birth));
    if (!created && !(await isShown(app.store, app.access, info))) throw sessionExists(id);
    return { id: info.id, session: await showSession(app, info), created };
  },
});
