import { isThroughlineError } from '../../errors.ts';
import {
  listMessages,
  NO_TREE,
  plainJson,
  readCompactionTree,
  refused,
  toMessage,
} from '../../operations/index.ts';
import {
  EMPTY_STATE,
  type Entry,
  type EntryId,
  type Message,
  type NewEntry,
  type SessionInfo,
  type Usage,
} from '../../record/index.ts';
import { getSession, markEntries, openSession, refuseTrashed } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { Call, Handler } from '../call.ts';

const list: Handler<'chat/message/list'> = async ({ sessionId, ...options }, { store, find }) => {
  const info = await find(sessionId);
  return { ...(await listMessages(store, info, options)), head: info.head };
};

const add: Handler<'chat/message/add'> = async (params, call, handedOver) => {
  const { sessionId, content, id, createdAt, role, model, usage, status, meta } = params;
  const body: Message = {
    kind: 'message',
    role,
    parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage: usage as Usage }),
    ...(status !== undefined && { status }),
    ...(meta !== undefined && { meta }),
  };
  const entry: NewEntry = {
    body,
    ...(id !== undefined && { id }),
    ...(createdAt !== undefined && { at: createdAt }),
  };
  const { store, sessions, runs } = call;
  const session = await call.findToWrite(sessionId);
  // A message that is there already is the first one again, and says so wherever its session is.
  if (!(id && (await store.entry(session, id)))) refuseTrashed(await getSession(store, session));
  // In the middle of a turn it would begin another one, and take the answer that is being written.
  if (role === 'user' && runs.isRunning(session) && !(id && (await store.entry(session, id))))
    throw refused(
      'usage',
      `A turn is running in session "${session}". Send the message with ai/session/send, which queues it, or hand it in with turn/steer.`,
      { session },
    );
  const [stored] = await sessions.append(session, [entry], handedOver);
  // What was said just now is covered and marked by nothing; a repeat of something older may be.
  if (id === undefined)
    return { message: toMessage(asMessage(stored!), { id: session, state: EMPTY_STATE }, NO_TREE) };
  const now = (await store.session(session))!;
  return { message: toMessage(asMessage(stored!), now, await readCompactionTree(store, now)) };
};

const get: Handler<'chat/message/get'> = async ({ sessionId, id }, { store, find }) => {
  const info = await find(sessionId);
  const entry = await messageIn(store, info, id);
  const body = await wholeBody(entry.body, (hash) => store.blob(hash));
  const whole = plainJson(body) as Message;
  return { message: toMessage({ ...entry, body: whole }, info, await readCompactionTree(store, info)) };
};

const mark: Handler<'chat/message/mark'> = async ({ sessionId, ids, mark: name }, call) => {
  const { store, find } = call;
  const info = await find(sessionId);
  const entries = await Promise.all(ids.map((id) => messageIn(store, info, id)));
  await using session = await openSession(store, info.id, { mode: 'join' });
  const targets = ids.map((entry) => ({ entry }));
  await markEntries(session, name, targets);
  return { messages: await toMessages(call, info, entries) };
};

async function toMessages({ store }: Call, { id }: SessionInfo, entries: readonly MessageEntry[]) {
  const now = (await store.session(id))!;
  const tree = await readCompactionTree(store, now);
  return entries.map((entry) => toMessage(entry, now, tree));
}

type MessageEntry = Entry & { readonly body: Message };

function asMessage(entry: Entry): MessageEntry {
  if (entry.body.kind !== 'message') throw new Error(`bug: entry ${entry.id} should be a message`);
  return entry as MessageEntry;
}

export async function messageIn(store: Store, info: SessionInfo, id: EntryId): Promise<MessageEntry> {
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

export const chatMessage = {
  'chat/message/list': list,
  'chat/message/add': add,
  'chat/message/get': get,
  'chat/message/mark': mark,
};
