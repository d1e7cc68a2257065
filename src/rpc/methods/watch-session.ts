import { z } from 'zod';
import { operation, SeqField, SessionField } from '../../operations/index.ts';
import type { Call } from '../call.ts';
import { watchesOf } from '../watches.ts';

export const watchSession = operation({
  name: 'session/watch',
  summary:
    'Sends every entry after a cursor as `session/entry`, in order and exactly once, then each new one as it comes, from whichever process; and what happens in turns as `ai/session/event`. After a disconnect, watch again from the last cursor seen. Over HTTP it takes `Accept: text/event-stream`.',
  params: z.strictObject({
    sessionId: SessionField,
    after: SeqField.optional().describe('The last entry that you have; without it, only what is new.'),
    live: z.boolean().default(true).describe('Also `ai/session/event`.'),
    notes: z
      .boolean()
      .default(true)
      .describe(
        '`false`: only messages, compactions, marks and settings, without the notes of running turns.',
      ),
  }),
  result: z.strictObject({
    watchId: z.string(),
    sessionId: z.string(),
    after: z.int().describe('Where it starts.'),
    head: z.int().describe('The newest entry when it started.'),
  }),
  faces: { rpc: true },
  async run({ sessionId, ...options }, { find, line }: Call) {
    const info = await find(sessionId);
    const { watchId, after } = watchesOf(line).start(info, options);
    return { watchId, sessionId: info.id, after, head: info.head };
  },
});
