import { describeLineage, type Relative } from '../../branches/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { checkModelNames, providerIn, providerName } from '../../models/index.ts';
import { forgetInIndexes } from '../../recall/index.ts';
import {
  type CompactionPolicy,
  type GivenSettings,
  isOwnSetting,
  type NewEntry,
  placeOf,
  type SessionState,
  settingEntries,
  settingEntry,
} from '../../record/index.ts';
import { newestTurn } from '../../run/index.ts';
import {
  type Birth,
  createSession,
  forkSession,
  getOrCreateSession,
  purgeSession,
} from '../../session/index.ts';
import { type SessionQuery, sessionExists } from '../../store/index.ts';
import { type Access, isShown, projectFor, reachesSession } from '../access.ts';
import type { Call, Handler } from '../call.ts';
import { refused } from '../error-codes.ts';
import type { CheckedParams, MethodName, ResultOf } from '../methods/index.ts';
import { listSessions } from '../records/list-sessions.ts';
import { listSteering, listWaiting } from '../records/list-waiting.ts';
import { showSession } from '../records/show-session.ts';

/** Of a session that is made over RPC, unless its maker asks for another: the rule that the client guide promises. */
export const DEFAULT_POLICY: CompactionPolicy = 'window';

const BY_USER = { by: 'user' } as const;

type Of<Name extends MethodName> = Handler<Name>;

const create: Of<'chat/session/create'> = async ({ id, ...fields }, call) => {
  const birth = { ...(id !== undefined && { id }), ...birthOf(fields, call) };
  await using session = await asNew(call, id, () => createSession(call.store, birth, { mode: 'join' }));
  return { id: session.id, session: await showSession(call, session.info) };
};

const open: Of<'chat/session/open'> = async ({ id, ...fields }, call) => {
  const birth = birthOf(fields, call);
  const { info: session, created } = await asNew(call, id, () => getOrCreateSession(call.store, id, birth));
  if (!created && !(await isShown(call.store, call.access, session))) throw sessionExists(id);
  return { id: session.id, session: await showSession(call, session), created };
};

/** A token of some projects learns of an id out of its reach that it is taken, and not whether its session was purged. */
async function asNew<T>({ access }: Call, id: string | undefined, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (access.projects !== null && id !== undefined && isThroughlineError(error, 'session-gone'))
      throw sessionExists(id);
    throw error;
  }
}

function birthOf(
  { agent, tags, title, project, ...labels }: Omit<CheckedParams<'chat/session/create'>, 'id'>,
  { access }: Call,
): Omit<Birth, 'id'> {
  const owner = projectFor(access, project);
  const { compaction = DEFAULT_POLICY, ...settings } = settingsIn(access, labels, {});
  return {
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(owner !== undefined && { project: owner }),
    tags,
    settings: { compaction, ...settings },
  };
}

const list: Of<'chat/session/list'> = async ({ parent, cursor, ...filters }, call) => {
  const { find } = call;
  const query = {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
    limit: filters.limit,
    ...(parent !== undefined && { parent: (await find(parent)).id }),
  } as SessionQuery;
  const page = await listSessions(call, { ...query, ...(cursor !== undefined && { cursor }) });
  const sessions = await Promise.all(page.sessions.map((info) => showSession(call, info)));
  return { sessions, cursor: page.cursor ?? null };
};

const get: Of<'chat/session/get'> = async ({ sessionId }, call) => {
  const info = await call.find(sessionId);
  const turn = await newestTurn(call.store, info);
  return {
    session: await showSession(call, info),
    waiting: await listWaiting(call.store, info),
    turn: turn ? { ...turn } : null,
    steering: await listSteering(call.store, info, turn),
  };
};

const update: Of<'chat/session/update'> = async (params, call) => {
  const { store, access, find } = call;
  const { sessionId, addTags, removeTags, place, title, project, ...labels } = params;
  const { id, state } = await find(sessionId);
  const entries: NewEntry[] = [
    ...(title === undefined ? [] : [settingEntry('title', title || null, BY_USER)]),
    ...(project === undefined ? [] : [settingEntry('project', projectFor(access, project) ?? null, BY_USER)]),
    ...settingEntries(settingsIn(access, labels, state.settings), BY_USER),
    ...addTags.map((tag) => settingEntry('tag', tag, BY_USER)),
    ...removeTags.map((tag) => settingEntry('untag', tag, BY_USER)),
    ...(place === undefined || place === placeOf(state) ? [] : moveTo(place, state)),
  ];
  if (entries.length > 0) await store.append(id, entries);
  return { session: await showSession(call, (await store.session(id))!) };
};

function moveTo(place: string, { trashedAt }: SessionState): NewEntry[] {
  return [
    ...(place === 'trashed' || trashedAt !== undefined
      ? [settingEntry('trashed', place === 'trashed', BY_USER)]
      : []),
    ...(place === 'trashed' ? [] : [settingEntry('archived', place === 'archived', BY_USER)]),
  ];
}

interface Labels {
  settings?: Record<string, unknown> | undefined;
  provider?: string | null | undefined;
  model?: string | null | undefined;
  systemPrompt?: string | null | undefined;
  cliSessionId?: string | null | undefined;
  compaction?: CompactionPolicy | null | undefined;
}

function settingsIn(
  { projects }: Access,
  { settings = {}, ...named }: Labels,
  known: SessionState['settings'],
): GivenSettings {
  // A path of an agent is run, and the rest has fields of its own or is not for others to set.
  const taken = Object.keys(settings).find(isOwnSetting);
  if (taken !== undefined)
    throw refused('usage', `"${taken}" is not one of a host's own settings.`, { setting: taken });
  // The SDK keeps the conversations of everybody on this machine, and knows nothing of projects.
  if (named.cliSessionId != null && projects !== null)
    throw refused('access-denied', 'Your token reaches some projects only: it cannot choose "cliSessionId".');
  checkModelNames(named.provider === null ? {} : known, named);
  // `openai:gpt-6` says whose it is; the provider of the model before it must not stay beside it.
  const asked =
    named.provider ?? (named.model == null ? undefined : providerIn(named.model)) ?? named.provider;
  const provider = asked == null ? asked : providerName(asked);
  return { ...settings, ...named, provider };
}

const remove: Of<'chat/session/delete'> = async ({ sessionId, purge }, call) => {
  const { store, sessions, conversations, find } = call;
  const info = await find(sessionId);
  await sessions.letGo(info.id);
  if (!purge) {
    await store.append(info.id, [settingEntry('trashed', true, BY_USER)]);
    return { id: info.id, deleted: true, purged: false };
  }
  await purgeSession(store, info);
  conversations.delete(info.id);
  await forgetInIndexes(store, [info.id]);
  return { id: info.id, deleted: true, purged: true };
};

const fork: Of<'chat/session/fork'> = async ({ sessionId, at, id, title }, call) => {
  const parent = await call.find(sessionId);
  const options = {
    ...(at !== undefined && { at }),
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
  };
  const info = await asNew(call, id, () => forkSession(call.store, parent, options));
  return { id: info.id, session: await showSession(call, info) };
};

const lineage: Of<'chat/session/lineage'> = async ({ sessionId }, call) => {
  const info = await call.find(sessionId);
  const { missing, root } = await describeLineage(call.store, info);
  const shown = (await toNodes(call, root)).find((node) => holds(node, info.id));
  return { sessionId: info.id, missing, root: shown! };
};

function holds({ session, children }: Node, id: string): boolean {
  return session.id === id || children.some((child) => holds(child, id));
}

type Node = ResultOf<'chat/session/lineage'>['root'];

/** Relatives out of reach are left out, and what is below them moves up. */
async function toNodes(call: Call, { children, branchedAt, entries, merges, id }: Relative): Promise<Node[]> {
  const below = (await Promise.all(children.map((child) => toNodes(call, child)))).flat();
  const info = await call.store.session(id);
  if (!info || !(await reachesSession(call.store, call.access, info))) return below;
  const notes = merges.map((note) => ({ ...note }));
  return [{ session: await showSession(call, info), branchedAt, entries, merges: notes, children: below }];
}

const MOST_COUNTED = 2000;

const tags: Of<'chat/session/tags'> = async ({ project }, call) => {
  const counts = new Map<string, number>();
  let read = 0;
  for (let cursor: string | undefined; read < MOST_COUNTED; ) {
    const query = { limit: 200, place: 'active', ...(project !== undefined && { project }) } as const;
    const page = await listSessions(call, { ...query, ...(cursor !== undefined && { cursor }) });
    for (const { state } of page.sessions)
      for (const tag of state.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    read += page.sessions.length;
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  const found = [...counts].map(([tag, sessions]) => ({ tag, sessions }));
  return { tags: found.sort((a, b) => b.sessions - a.sessions || (a.tag < b.tag ? -1 : 1)) };
};

export const chatSession = {
  'chat/session/create': create,
  'chat/session/open': open,
  'chat/session/list': list,
  'chat/session/get': get,
  'chat/session/update': update,
  'chat/session/delete': remove,
  'chat/session/fork': fork,
  'chat/session/lineage': lineage,
  'chat/session/tags': tags,
};
