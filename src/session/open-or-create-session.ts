import { isThroughlineError } from '../errors.ts';
import {
  checkArgument,
  checkOptions,
  type OptionKinds,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { BIRTH, type Birth, bear, birthEntries, SETTINGS_ELSEWHERE } from './create-session.ts';
import { OPEN_OPTIONS, type OpenOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';
import { getSession } from './session-handle.ts';

/** `agent`, `title`, `tags`, `project` and `settings` are for a session that is created now; one that is there keeps its own. */
export interface OpenOrCreateOptions extends OpenOptions, Omit<Birth, 'id'> {}

const { id: _, ...OF_BIRTH } = BIRTH;
const OPTIONS: OptionKinds<Required<OpenOrCreateOptions>> = { ...OF_BIRTH, ...OPEN_OPTIONS };

const WAIT_MS = 30_000;

/**
 * Opens the session with exactly this id, created now if there is none: for a server with a session for each user. Any number
 * of first calls at once, from any number of processes, give one session. Calls that come while another one has the session
 * open wait up to `waitMs` (30 seconds unless given) and are served one after the other.
 */
export async function openOrCreateSession(
  store: Store,
  id: SessionId,
  given: OpenOrCreateOptions = {},
): Promise<Session> {
  checkArgument(store, 'store', { call: 'openOrCreateSession' });
  checkOptions(given, OPTIONS, { call: 'openOrCreateSession', elsewhere: SETTINGS_ELSEWHERE });
  const { agent, title, tags, project, settings, waitMs = WAIT_MS, ...options } = given;
  const birth = {
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(project !== undefined && { project }),
    ...(settings !== undefined && { settings }),
  };
  const { info } = await getOrCreateSession(store, id, birth, options);
  return openSession(store, info.id, { ...options, waitMs });
}

/** The session with exactly this id, and whether it was created by this very call. */
export async function getOrCreateSession(
  store: Store,
  id: SessionId,
  birth: Omit<Birth, 'id'> = {},
  { now = Date.now }: Pick<OpenOptions, 'now'> = {},
): Promise<{ info: SessionInfo; created: boolean }> {
  try {
    return { info: await getSession(store, id), created: false };
  } catch (error) {
    if (!isThroughlineError(error, 'session-not-found')) throw error;
  }
  const at = now();
  try {
    const entries = birthEntries(birth, at);
    return { info: await bear(store, { id, agent: birth.agent, now: at, entries }), created: true };
  } catch (error) {
    if (!isThroughlineError(error, 'session-exists')) throw error;
    return { info: await getSession(store, id), created: false };
  }
}
