import { randomInt } from 'node:crypto';
import { isThroughlineError } from '../errors.ts';
import {
  type Json,
  type NewEntry,
  newSessionId,
  type Parent,
  type SessionId,
  type SessionInfo,
  withSuffix,
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
  const wanted = id ?? newSessionId({ ...(agent !== undefined && { agent }), now });
  for (let attempt = 1; ; attempt++) {
    const tried = attempt === 1 ? wanted : withSuffix(wanted, suffixFor(attempt));
    try {
      return await store.create({ id: tried, createdAt: now, ...(parent && { parent }) }, entries);
    } catch (error) {
      if (id !== undefined || !isThroughlineError(error, 'session-exists')) throw error;
    }
  }
}

/** Counted up while few start in one second; many would try each other's numbers one by one. */
function suffixFor(attempt: number): number {
  return attempt <= 8 ? attempt : randomInt(1000, 1_000_000);
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
