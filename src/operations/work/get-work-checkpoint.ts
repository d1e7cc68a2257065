import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workWith } from './find-work.ts';
import { WorkCheckpoint } from './work-record.ts';

export const getWorkCheckpoint = operation({
  name: 'work/checkpoint',
  summary: 'The state of the work in a session, as orchestrators store it, with the tokens that were saved.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ checkpoint: WorkCheckpoint }),
  faces: {
    help: {
      'work checkpoint':
        'Show how the work of a session stands: done, open, decided, blocked, and the tokens it saved.',
    },
    rpc: true,
    cli: { 'work checkpoint': { schema: WorkCheckpoint, of: ({ checkpoint }) => checkpoint } },
  },
  async run({ sessionId }, app) {
    const { work, session } = await workWith(app, sessionId);
    return { checkpoint: await work.checkpoint(session) };
  },
});
