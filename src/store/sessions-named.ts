import { isThroughlineError } from '../errors.ts';
import {
  canonicalSessionId,
  deriveSessionId,
  type NewEntry,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { NewSession, Store } from './store.ts';

/** What a session is made with, if it is not there. */
interface NamedBirth extends Omit<NewSession, 'id' | 'prefixFree'> {
  readonly entries?: readonly NewEntry[];
}

interface NamedOptions {
  /**
   * True if a session that has one of the ids is the one that the name stands for, by its log. Hosts give their sessions any
   * ids, so an id proves nothing: every other session is passed over.
   */
  readonly belongs: (info: SessionInfo) => boolean | Promise<boolean>;
  /** Asked for each id that is free. `undefined`: no session is made under it. */
  readonly bear: (id: SessionId) => NamedBirth | undefined | Promise<NamedBirth | undefined>;
  /** The id of each attempt, counted from 1; the name itself and then derived ones if not given. */
  readonly idOf?: (attempt: number) => SessionId;
  /** The name is a host's own: it is taken as it is, also where it starts another id. */
  readonly given?: boolean;
}

/** An id that was come by. Without `info` there is no session: it was `purged`, or none was to be made. */
interface Named {
  readonly id: SessionId;
  readonly info: SessionInfo | undefined;
  readonly made: boolean;
  readonly purged: boolean;
}

/** A host that calls sessions `0` to `9` and `a` to `f` leaves no id that none of them starts. */
const MOST_COLLISIONS = 100;

/**
 * Comes by the sessions that belong to a name and whose ids follow from it, one after the other; a session that is not
 * there is made. No made id starts another id of the store or is started by one. The ids follow from the name alone: a repeat, also in another
 * process at the same time, comes by the same sessions in the same order.
 */
export async function* sessionsNamed(
  store: Store,
  name: SessionId,
  {
    belongs,
    bear,
    idOf = (attempt) => (attempt === 1 ? name : deriveSessionId(name, attempt)),
    given,
  }: NamedOptions,
): AsyncGenerator<Named> {
  let collisions = 0;
  for (let attempt = 1; ; attempt++) {
    const id = idOf(attempt);
    const prefixFree = !(given && attempt === 1) && collisions < MOST_COLLISIONS;
    const outcome = await come(store, id, { bear, prefixFree });
    if (outcome === 'collides') collisions++;
    else if (!outcome.info || outcome.made || (await belongs(outcome.info))) yield outcome;
    // Older versions put a number behind a name that was taken. Their sessions are used again.
    for (let number = 2; attempt === 1; number++) {
      const info = await store.session(`${name}_${number}`);
      if (!info) break;
      if (await belongs(info)) yield { id: info.id, info, made: false, purged: false };
    }
  }
}

async function come(
  store: Store,
  id: SessionId,
  { bear, prefixFree }: { bear: NamedOptions['bear']; prefixFree: boolean },
): Promise<Named | 'collides'> {
  const there = await store.session(id);
  if (there) return { id: there.id, info: there, made: false, purged: false };
  const birth = await bear(id);
  if (!birth) return { id, info: undefined, made: false, purged: false };
  const { entries = [], ...session } = birth;
  try {
    return {
      id,
      info: await store.create({ ...session, id, prefixFree }, entries),
      made: true,
      purged: false,
    };
  } catch (error) {
    if (isPurged(error, id)) return { id, info: undefined, made: false, purged: true };
    if (!isThroughlineError(error, 'session-exists')) throw error;
    if (error.details.other !== undefined) return 'collides';
    return { id, info: await store.session(id), made: false, purged: false };
  }
}

/** True if it is this session that was purged, and not the parent that it names. */
function isPurged(error: unknown, id: SessionId): boolean {
  return (
    isThroughlineError(error, 'session-gone') &&
    canonicalSessionId(String(error.details.session)) === canonicalSessionId(id)
  );
}
