import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workToWrite } from './find-work.ts';

const WorkRequest = z.strictObject({
  systemPrompt: z.string(),
  userPrompt: z.string(),
  totalTokens: z.int(),
  leftOut: z
    .record(z.string(), z.int())
    .optional()
    .describe('Lines of the checkpoint that there is no room for, by list; `work/checkpoint` has them all.'),
  budget: z.int(),
});

export const buildWorkRequest = operation({
  name: 'work/request',
  summary:
    'The whole request for the next question: role, context, checkpoint, recent conversation. Always under the budget; compacts first if it would not be.',
  writes: true,
  params: z.strictObject({ sessionId: SessionField, question: z.string().min(1) }),
  result: WorkRequest,
  faces: {
    help: {
      'work request':
        'Build the whole request for the next question: role, context, checkpoint, recent conversation.',
    },
    rpc: true,
    cli: { 'work request': 'result' },
  },
  async run({ sessionId, question }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    return { ...(await work.buildRequest(session, question)), budget: work.budget };
  },
});
