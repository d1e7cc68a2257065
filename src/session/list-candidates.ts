import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import { type SessionId, type SessionInfo, storedPlaceOf, titleOf } from '../record/index.ts';
import { matchName, type Store } from '../store/index.ts';

/** How a session fits the words of a person: by its whole id, a line of their list, its title, or the start of its id. */
export type FitsBy = 'id' | 'number' | 'title' | 'prefix';

export interface Candidate {
  readonly info: SessionInfo;
  readonly by: FitsBy;
}

export interface FindOptions {
  /** The ids of the list the person has in front of them: `2` means its second line. */
  readonly list?: readonly SessionId[];
  /** Look in the trash as well; an exact id is always found. */
  readonly trashed?: boolean;
}

interface CandidateOptions extends FindOptions {
  /** Defaults to 10. */
  readonly limit?: number;
  /** A session outside is passed over as if it did not exist, also by its exact id. */
  readonly reaches?: (info: SessionInfo) => boolean | Promise<boolean>;
  /** Without them nothing tells that there ever was a session of this id. Defaults to `true`. */
  readonly tombstones?: boolean;
}

interface Candidates {
  /** An exact id stands alone. Otherwise the line of the list comes first, then the newest. */
  readonly candidates: readonly Candidate[];
  /** More sessions fit than were asked for. */
  readonly more: boolean;
  /** Fits as well, but is in the trash, which was left out. */
  readonly inTrash: SessionInfo | undefined;
  /** The error of the store, if this is the id of a purged session; then there are no candidates. */
  readonly gone?: ThroughlineError | undefined;
}

const MOST_CANDIDATES = 10;

/**
 * The sessions that `reference` may mean. A few digits are a number and never the start of an id: a mistyped number must
 * not lead to a session that was not in the list.
 */
export async function listCandidates(
  store: Store,
  reference: string,
  {
    list,
    trashed = false,
    limit = MOST_CANDIDATES,
    reaches = () => true,
    tombstones = true,
  }: CandidateOptions = {},
): Promise<Candidates> {
  if (reference === '') return { candidates: [], more: false, inTrash: undefined };
  const exact = await store.session(reference);
  if (exact && (await reaches(exact)))
    return { candidates: [{ info: exact, by: 'id' }], more: false, inTrash: undefined };
  const gone = exact || !tombstones ? undefined : await whyGone(store, reference);
  // A program that was given this id means no other session, whatever that one is called.
  if (gone) return { candidates: [], more: false, inTrash: undefined, gone };
  const line = lineOf(reference, list);
  const isNumber = line !== undefined || /^\d{1,4}$/.test(reference);
  const isCalled = ({ state }: SessionInfo) => matchName(titleOf(state)) === matchName(reference);
  const { fitting, inTrash } = await findFitting(store, reference, {
    limit,
    // Only a title that is this very number competes with the list.
    isMeant: (info) => (!isNumber || isCalled(info)) && reaches(info),
    isShown(info) {
      // The log of a project is no conversation: only its whole id opens it.
      const place = storedPlaceOf(info.state);
      return place !== 'memory' && (trashed || place !== 'trashed');
    },
  });
  const numbered = line === undefined ? undefined : await store.session(line);
  const all = new Map<SessionId, Candidate>();
  if (numbered && (await reaches(numbered))) all.set(numbered.id, { info: numbered, by: 'number' });
  for (const info of fitting)
    if (!all.has(info.id)) all.set(info.id, { info, by: isCalled(info) ? 'title' : 'prefix' });
  const candidates = [...all.values()];
  return { candidates: candidates.slice(0, limit), more: candidates.length > limit, inTrash };
}

async function whyGone(store: Store, id: SessionId): Promise<ThroughlineError | undefined> {
  try {
    await store.read(id, { limit: 0 });
  } catch (error) {
    if (isThroughlineError(error, 'session-gone')) return error;
    if (!isThroughlineError(error, 'session-not-found')) throw error;
  }
  return undefined;
}

/** The session on the line that the number names, whether it still exists or not. */
export function lineOf(reference: string, list: readonly SessionId[] | undefined): SessionId | undefined {
  return /^[1-9]\d{0,8}$/.test(reference) ? list?.[Number(reference) - 1] : undefined;
}

interface Fitting {
  readonly limit: number;
  readonly isMeant: (info: SessionInfo) => boolean | Promise<boolean>;
  readonly isShown: (info: SessionInfo) => boolean;
}

/** A page may be full of sessions that cannot be meant, so more are asked for until it is clear how many can. */
async function findFitting(
  store: Store,
  reference: string,
  { limit, isMeant, isShown }: Fitting,
): Promise<{ fitting: SessionInfo[]; inTrash: SessionInfo | undefined }> {
  for (let wanted = limit + 1; ; wanted *= 4) {
    const found = await store.find(reference, { limit: wanted });
    const meant: SessionInfo[] = [];
    for (const info of found) if (await isMeant(info)) meant.push(info);
    const fitting = meant.filter(isShown);
    if (fitting.length <= limit && found.length === wanted) continue;
    return { fitting, inTrash: meant.find(({ state }) => state.trashedAt !== undefined) };
  }
}
