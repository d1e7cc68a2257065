import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import { type Entry, Loop, newEntryId } from '../../record/index.ts';
import { NewIdField, SessionField } from '../fields.ts';
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

export const buildWorkRequestOperation = operation({
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

const Added = z.strictObject({
  session: z.string(),
  seq: z.int(),
  requestTokens: z.int().describe('What the next request would take, with room for a question.'),
  budget: z.int(),
  waiting: z
    .literal(true)
    .optional()
    .describe(
      'A loop of another process runs in the session, and takes the message up before its next question.',
    ),
});

export const addWorkMessage = operation({
  name: 'work/message/add',
  summary: 'Adds a message to a session, and compacts it if its next request would be over the budget.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    id: NewIdField,
  }),
  result: Added.extend({ id: z.string() }),
  faces: {
    help: { 'work add': 'Add a message to a session.' },
    rpc: true,
    cli: {
      'work add': {
        schema: Added.extend({ entry: z.string() }),
        of: ({ id, ...added }) => ({ entry: id, ...added }),
      },
    },
  },
  async run(params, app) {
    const { sessionId, role, content, id = newEntryId() } = params;
    const { work, session } = await workToWrite(app, sessionId);
    const entry: Entry & { waiting?: true } = await work
      .addMessage(session, role, content, { id })
      .catch(async (error: unknown) => {
        if (!isThroughlineError(error, 'lease-held')) throw error;
        // Held by a turn of this server, it is written by way of that; held by another program, it is refused again.
        const parts = [{ type: 'text', text: content }];
        return (await app.sessions.append(session, [{ id, body: { kind: 'message', role, parts } }]))[0]!;
      });
    const requestTokens = await work.estimateRequestSize(session);
    const { id: stored, seq, waiting } = entry;
    return { session, id: stored, seq, requestTokens, budget: work.budget, ...(waiting && { waiting }) };
  },
});

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
