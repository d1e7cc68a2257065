import { z } from 'zod';
import {
  EMPTY_STATE,
  type Entry,
  type Message,
  type Usage as MessageUsage,
  type NewEntry,
  TURN_NOTES,
} from '../../record/index.ts';
import { refuseQueuedId } from '../../run/index.ts';
import { getSession, refuseTrashed } from '../../session/index.ts';
import { Anything, ContentField, NewIdField, Role, SessionField, Usage } from '../fields.ts';
import { operation } from '../operation.ts';
import { NO_TREE, readCompactionTree } from '../records/compaction-tree.ts';
import { MessageRecord, toMessage } from '../records/message-record.ts';
import { refused } from '../refused.ts';
import type { MessageEntry } from './find-message.ts';

export const addMessage = operation({
  name: 'chat/message/add',
  summary: 'Writes a message down. Success means that it is stored.',
  writes: true,
  fails: ['session-trashed', 'lease-held', 'entry-conflict'],
  params: z.strictObject({
    sessionId: SessionField,
    role: Role,
    content: ContentField,
    id: NewIdField,
    model: z.string().max(300).optional(),
    usage: Usage.strict().optional(),
    status: z.enum(['complete', 'interrupted']).optional(),
    meta: z
      .record(z.string(), Anything)
      .refine((meta) => TURN_NOTES.every((name) => !Object.hasOwn(meta, name)), {
        error: `has ${TURN_NOTES.map((name) => `"${name}"`).join(', ')}, which only turns write`,
      })
      .optional()
      .describe('Anything but `run`, `request` and `recalled`: turns note there what a model was sent.'),
    createdAt: z.number().min(0).max(8.64e15).optional(),
  }),
  result: z.strictObject({ message: MessageRecord }),
  faces: { rpc: true },
  async run(params, app, { handedOver }) {
    const { sessionId, content, id, createdAt, role, model, usage, status, meta } = params;
    const body: Message = {
      kind: 'message',
      role,
      parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      ...(model !== undefined && { model }),
      ...(usage !== undefined && { usage: usage as MessageUsage }),
      ...(status !== undefined && { status }),
      ...(meta !== undefined && { meta }),
    };
    const entry: NewEntry = {
      body,
      ...(id !== undefined && { id }),
      ...(createdAt !== undefined && { at: createdAt }),
    };
    const { store, sessions } = app;
    const session = await app.findToWrite(sessionId);
    // A message that is there already is the first one again, and says so wherever its session is.
    if (id === undefined || !(await store.entry(session, id))) {
      const info = await getSession(store, session);
      refuseTrashed(info);
      if (id !== undefined) await refuseQueuedId(store, info, { id, body });
      // In the middle of a turn it would begin another one, and take the answer that is being written.
      if (role === 'user' && app.isRunning(session))
        throw refused(
          'usage',
          `A turn is running in session "${session}". Send the message with ai/session/send, which queues it, or hand it in with turn/steer.`,
          { session },
        );
    }
    const [stored] = await sessions.append(session, [entry], handedOver);
    // A new message is covered and marked by nothing; a repeat of an older one may be.
    if (id === undefined)
      return { message: toMessage(asMessage(stored!), { id: session, state: EMPTY_STATE }, NO_TREE) };
    const now = (await store.session(session))!;
    return { message: toMessage(asMessage(stored!), now, await readCompactionTree(store, now)) };
  },
});

function asMessage(entry: Entry): MessageEntry {
  if (entry.body.kind !== 'message') throw new Error(`bug: entry ${entry.id} should be a message`);
  return entry as MessageEntry;
}
