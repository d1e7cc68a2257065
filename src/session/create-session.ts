import { randomInt } from 'node:crypto';
import { isThroughlineError } from '../errors.ts';
import {
  checkArgument,
  checkOptions,
  type GivenSettings,
  type NewEntry,
  newSessionId,
  type OptionKinds,
  type Parent,
  SETTINGS,
  type SessionId,
  type SessionInfo,
  settingEntries,
  settingEntry,
  startsEveryName,
  withCode,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { OPEN_OPTIONS, type OpenOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';

export interface Birth {
  /** Made from the agent's name and the time if not given. */
  readonly id?: SessionId;
  readonly agent?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly project?: string;
  /** Further settings: `model`, `provider`, `agentPath`, `permission`, or a host's own. */
  readonly settings?: GivenSettings;
}

export const BIRTH: OptionKinds<Required<Birth>> = {
  id: 'text',
  agent: 'text',
  title: 'text',
  tags: 'list',
  project: 'text',
  settings: 'object',
};

/** Names that belong one level down, in `settings`. */
export const SETTINGS_ELSEWHERE = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, `It is a setting: settings: { ${name} }.`]),
);

/** Starts a new session and opens it to write. */
export async function createSession(
  store: Store,
  given: Birth = {},
  options: OpenOptions = {},
): Promise<Session> {
  checkArgument(store, 'store', { call: 'createSession' });
  checkOptions(given, BIRTH, { call: 'createSession', elsewhere: SETTINGS_ELSEWHERE });
  checkOptions(options, OPEN_OPTIONS, { call: 'createSession' });
  const { id, ...birth } = given;
  const now = options.now?.() ?? Date.now();
  const info = await bear(store, { id, agent: birth.agent, now, entries: birthEntries(birth, now) });
  return openSession(store, info.id, options);
}

/** Creates the session under the id asked for, or under a fresh readable one. */
export async function bear(
  store: Store,
  {
    id,
    agent,
    now,
    parent,
    entries,
  }: {
    id: SessionId | undefined;
    agent: string | undefined;
    now: number;
    parent?: Parent;
    entries: readonly NewEntry[];
  },
): Promise<SessionInfo> {
  if (id !== undefined) return store.create({ id, createdAt: now, ...(parent && { parent }) }, entries);
  const plain = newSessionId({ ...(agent !== undefined && { agent }), now });
  let place: 'before-time' | 'in-front' = 'before-time';
  for (let attempt = 1; ; attempt++) {
    const made = attempt === 1 ? plain : withCode(plain, codeFor(attempt), place);
    // A host that calls sessions `a` to `z` and `0` to `9` leaves no other name.
    const prefixFree = attempt <= MOST_ATTEMPTS;
    try {
      return await store.create({ id: made, prefixFree, createdAt: now, ...(parent && { parent }) }, entries);
    } catch (error) {
      if (!isThroughlineError(error, 'session-exists') && !isThroughlineError(error, 'session-gone'))
        throw error;
      const { other } = error.details;
      if (typeof other === 'string' && startsEveryName(other, plain)) place = 'in-front';
    }
  }
}

const MOST_ATTEMPTS = 100;

/** `b`, `c`, `d` while few start in one second; many would try each other's letters one by one. */
function codeFor(attempt: number): string {
  return (attempt <= 8 ? attempt + 9 : randomInt(36 ** 4 * 10, 36 ** 5)).toString(36);
}

/** What a session is born with is in its log like everything else. */
export function birthEntries(
  { agent, title, tags = [], project, settings = {} }: Omit<Birth, 'id'>,
  at: number,
): NewEntry[] {
  const by = { by: 'user', at } as const;
  return [
    ...settingEntries({ agent, project }, by),
    ...settingEntries(settings, by),
    ...settingEntries({ title }, by),
    ...tags.map((tag) => settingEntry('tag', tag, by)),
  ];
}
