import { randomInt } from 'node:crypto';
import { isThroughlineError } from '../errors.ts';
import {
  type Json,
  type NewEntry,
  newSessionId,
  type Parent,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type OpenOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';

export interface Birth {
  /** Made from the agent's name and the time if not given. */
  readonly id?: SessionId;
  readonly agent?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly project?: string;
  /** Further settings: `model`, `provider`, `agentPath`, `permission`, or a host's own. */
  readonly settings?: Readonly<Record<string, Json>>;
}

/** Starts a new session and opens it to write. */
export async function createSession(
  store: Store,
  { id, ...birth }: Birth = {},
  options: OpenOptions = {},
): Promise<Session> {
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
  for (let attempt = 1; ; attempt++) {
    const made = newSessionId({ ...(agent !== undefined && { agent }), now, code: codeFor(attempt) });
    try {
      return await store.create(
        { id: made, prefixFree: true, createdAt: now, ...(parent && { parent }) },
        entries,
      );
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

/** `b`, `c`, `d` while few start in one second; many would try each other's letters one by one. */
function codeFor(attempt: number): string | undefined {
  if (attempt === 1) return undefined;
  return (attempt <= 8 ? attempt + 9 : randomInt(36 ** 4 * 10, 36 ** 5)).toString(36);
}

/** True if the id of a new session is in use, or was until that session was purged. */
export function isTaken(error: unknown): boolean {
  return isThroughlineError(error, 'session-exists') || isThroughlineError(error, 'session-gone');
}

/** What a session is born with is in its log like everything else. */
export function birthEntries(
  { agent, title, tags = [], project, settings = {} }: Omit<Birth, 'id'>,
  at: number,
): NewEntry[] {
  const facts: [string, Json | undefined][] = [
    ['agent', agent],
    ['project', project],
    ...Object.entries(settings),
    ['title', title],
    ...tags.map((tag): [string, Json] => ['tag', tag]),
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [{ at, body: { kind: 'setting' as const, name, value, by: 'user' as const } }],
  );
}
