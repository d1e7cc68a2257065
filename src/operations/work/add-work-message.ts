import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import { type Entry, newEntryId } from '../../record/index.ts';
import { NewIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workToWrite } from './find-work.ts';

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
