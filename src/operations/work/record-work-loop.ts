import { z } from 'zod';
import { Loop } from '../../record/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workToWrite } from './find-work.ts';

export const recordWorkLoop = operation({
  name: 'work/loop/record',
  summary: 'Writes down how an iteration came out: which checks passed, which failed, and the last error.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    iteration: z.int().min(0),
    passed: z.array(z.string()).default([]),
    failed: z.array(z.string()).default([]),
    lastError: z.string().nullable().default(null),
  }),
  result: z.strictObject({ loop: Loop }),
  faces: {
    help: {
      'work loop':
        'Write down how an iteration came out: which checks passed, which failed, and the last error.',
    },
    cli: { 'work loop': { schema: Loop, of: ({ loop }) => loop } },
  },
  async run({ sessionId, iteration, ...outcome }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    return { loop: await work.recordLoop(session, iteration, outcome) };
  },
});
