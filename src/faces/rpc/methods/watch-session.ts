import { z } from 'zod';
import { operation, SeqField, SessionField } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';
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
  async run({ sessionId, ...options }, { find, line }: RpcCall) {
    const info = await find(sessionId);
    const { watchId, after } = watchesOf(line).start(info, options);
    return { watchId, sessionId: info.id, after, head: info.head };
  },
});

export const unwatchSession = operation({
  name: 'session/unwatch',
  summary: 'Ends a watch, of either kind.',
  params: z.strictObject({ watchId: z.string().min(1).max(100) }),
  result: z.strictObject({ ended: z.boolean() }),
  faces: { rpc: true },
  run: ({ watchId }, { line }: RpcCall) => ({ ended: line?.watches.end(watchId) ?? false }),
});

export const watchSessions = operation({
  name: 'sessions/watch',
  summary:
    'Sends `sessions/changed` whenever something was written in any session that you may see, from whichever process. It tells of what is written after its answer: watch first, then list; and again after a disconnect.',
  params: z.strictObject({}),
  result: z.strictObject({ watchId: z.string() }),
  faces: { rpc: true },
  run: (_, { access, line }: RpcCall) => watchesOf(line).startList(access),
});
