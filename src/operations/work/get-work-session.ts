import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workWith } from './find-work.ts';
import { WorkSessionRecord } from './work-record.ts';

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
