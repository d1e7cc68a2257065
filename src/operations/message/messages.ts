import { z } from 'zod';
import { refuseQueuedId } from '../../agent/index.ts';
import { isThroughlineError } from '../../errors.ts';
import {
  EMPTY_STATE,
  type Entry,
  type EntryId,
  type Message,
  type Usage as MessageUsage,
  type NewEntry,
  type SessionInfo,
  TURN_NOTES,
} from '../../record/index.ts';
import { getSession, markEntries, openSession, refuseTrashed } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import {
  Anything,
  ContentField,
  EntryIdField,
  NewIdField,
  RoleField,
  SeqField,
  SessionField,
  UsageField,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { NO_TREE, readCompactionTree } from '../records/compaction-tree.ts';
import { MessageRecord, toMessageRecord } from '../records/message-record.ts';
import { pageOfMessages } from '../records/page-of-messages.ts';
import { plainJson } from '../records/plain-json.ts';
import { refused } from '../refused.ts';

export const addMessage = operation({
  name: 'chat/message/add',
  summary: 'Writes a message down. Success means that it is stored.',
  writes: true,
  fails: ['session-trashed', 'lease-held', 'entry-conflict'],
  params: z.strictObject({
    sessionId: SessionField,
    role: RoleField,
    content: ContentField,
    id: NewIdField,
    model: z.string().max(300).optional(),
    usage: UsageField.strict().optional(),
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
      return { message: toMessageRecord(asMessage(stored!), { id: session, state: EMPTY_STATE }, NO_TREE) };
    const now = (await store.session(session))!;
    return { message: toMessageRecord(asMessage(stored!), now, await readCompactionTree(store, now)) };
  },
});

function asMessage(entry: Entry): MessageEntry {
  if (entry.body.kind !== 'message') throw new Error(`bug: entry ${entry.id} should be a message`);
  return entry as MessageEntry;
}

export const getMessage = operation({
  name: 'chat/message/get',
  summary: 'One message, with every large value in place.',
  fails: ['entry-not-found'],
  params: z.strictObject({ sessionId: SessionField, id: EntryIdField }),
  result: z.strictObject({ message: MessageRecord }),
  faces: { rpc: true },
  async run({ sessionId, id }, { store, find }) {
    const info = await find(sessionId);
    const entry = await findMessage(store, info, id);
    const body = await wholeBody(entry.body, (hash) => store.blob(hash));
    const whole = plainJson(body) as Message;
    return {
      message: toMessageRecord({ ...entry, body: whole }, info, await readCompactionTree(store, info)),
    };
  },
});

type MessageEntry = Entry & { readonly body: Message };

/** The message with this id; `entry-not-found` for an entry of any other kind too. */
export async function findMessage(store: Store, info: SessionInfo, id: EntryId): Promise<MessageEntry> {
  const entry = await store.entry(info.id, id).catch((error: unknown) => {
    if (isThroughlineError(error, 'entry-not-found')) return undefined;
    throw error;
  });
  if (entry?.body.kind === 'message') return entry as MessageEntry;
  throw refused('entry-not-found', `Session "${info.id}" has no message ${id}.`, {
    session: info.id,
    entry: id,
  });
}

export const listMessages = operation({
  name: 'chat/message/list',
  summary:
    'A page of messages, oldest first: the newest page unless `before` or `after` says otherwise. What was compacted is left out unless it is asked for.',
  params: z.strictObject({
    sessionId: SessionField,
    limit: z.int().min(1).max(500).default(100),
    before: SeqField.optional().describe('Only messages before this entry, the nearest ones.'),
    after: SeqField.optional().describe('Only messages after this entry, the nearest ones.'),
    upTo: SeqField.optional().describe(
      'With `after`: not beyond this entry. What a compaction covers is a range.',
    ),
    includeInactive: z.boolean().default(false).describe('Also what was compacted, excluded or removed.'),
    includeExcluded: z.boolean().default(false).describe('Excluded messages too.'),
  }),
  result: z.strictObject({
    messages: z.array(MessageRecord),
    before: z.int().nullable().describe('The cursor for older messages; `null` if there are none.'),
    after: z.int().nullable().describe('The cursor for newer messages; `null` if there are none.'),
    head: z.int().describe('The newest entry of the session when this was read.'),
  }),
  faces: { rpc: true },
  async run({ sessionId, ...options }, { store, find }) {
    const info = await find(sessionId);
    return { ...(await pageOfMessages(store, info, options)), head: info.head };
  },
});

export const markMessages = operation({
  name: 'chat/message/mark',
  summary:
    'Pins messages (they stay in the context word for word), excludes them from it, or takes that back.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    ids: z.array(EntryIdField).min(1).max(500),
    mark: z.enum(['pinned', 'unpinned', 'excluded', 'included']),
  }),
  result: z.strictObject({ messages: z.array(MessageRecord) }),
  faces: { rpc: true },
  async run({ sessionId, ids, mark: name }, app) {
    const { store, find } = app;
    const info = await find(sessionId);
    const entries = await Promise.all(ids.map((id) => findMessage(store, info, id)));
    await using session = await openSession(store, info.id, { mode: 'join' });
    const targets = ids.map((entry) => ({ entry }));
    await markEntries(session, name, targets);
    const now = (await store.session(info.id))!;
    const tree = await readCompactionTree(store, now);
    return { messages: entries.map((entry) => toMessageRecord(entry, now, tree)) };
  },
});
