import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workToWrite } from './find-work.ts';

const WorkRequest = z.strictObject({
  systemPrompt: z.string(),
  userPrompt: z.string(),
  totalTokens: z.int(),
});

export const buildWorkRequest = operation({
  name: 'work/request',
  summary:
    'The whole request for the next question: role, context, checkpoint, recent conversation. Always under the budget; compacts first if it would not be.',
  writes: true,
  params: z.strictObject({ sessionId: SessionField, question: z.string().min(1) }),
  result: WorkRequest.extend({ budget: z.int() }),
  faces: {
    rpc: true,
    cli: { 'work request': { schema: WorkRequest, of: ({ budget: _, ...request }) => request } },
  },
  async run({ sessionId, question }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    return { ...(await work.buildRequest(session, question)), budget: work.budget };
  },
});
