import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workToWrite } from './find-work.ts';
import { printedSession, WorkSessionRecord } from './work-record.ts';

export const showWorkCheckpoint = operation({
  name: 'work/checkpoint/show',
  summary: 'Lets the requests of one session show the checkpoint of another, to read, or no longer.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    other: SessionField.describe('The session whose checkpoint is shown.'),
    hide: z.boolean().default(false),
  }),
  result: z.strictObject({ session: WorkSessionRecord }),
  faces: {
    help: { 'work show': 'Let the requests of one session show the checkpoint of another, to read.' },
    cli: { 'work show': printedSession },
  },
  async run({ sessionId, other, hide }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    await (hide ? work.hideCheckpoint(session, other) : work.showCheckpoint(session, other));
    return plain({ session: await work.describeSession(session) });
  },
});
