import type { Environment } from '../models/index.ts';
import type { ProjectPlace } from '../project/index.ts';
import type { FactSource, SessionId, SessionInfo } from '../record/index.ts';
import type { SearchIndex } from '../search/index.ts';
import { getSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Access, isShown, OWNER } from './access.ts';
import { createOpenSessions, type OpenSessions, type OpenSessionsOptions } from './open-sessions.ts';
import { refused } from './refused.ts';
import type { WorkDesks } from './work/work-desks.ts';

/** The caller and the environment: enough for operations on files that are not of a store. */
export interface Machine {
  /** The caller, and how far it reaches. */
  readonly access: Access;
  /** Where models are chosen and keys are found. */
  readonly env: Environment;
}

/** For operations that cannot be undone: called with the plan before anything is done, and throws to refuse it. */
export interface Agreeing<Plan> {
  readonly agree?: (plan: Plan) => Promise<void>;
}

/** The machine as the person at it uses it. */
export const OWN_MACHINE: Machine = { access: OWNER, env: process.env };

type Speaker = Pick<FactSource, 'by' | 'name'>;

/** The store and the parts around it that operations run with, for one caller. */
export interface App extends Machine, AsyncDisposable {
  readonly store: Store;
  /** The person or agent whose words facts are; the user of the access unless given. */
  readonly speaker?: Speaker | undefined;
  /** The project that a face has found. Its id names it also as long as nothing is written down about it. */
  readonly place?: ProjectPlace | undefined;
  /** Handles of the sessions that this process writes in. */
  readonly sessions: OpenSessions;
  /** The search index of the store. */
  index(): Promise<SearchIndex>;
  /** The boards and loops of projects. */
  desks(): Promise<WorkDesks>;
  /** The session with exactly this id, if it is within reach. */
  find(id: SessionId): Promise<SessionInfo>;
  /** The same id, to append to: for a caller that reaches everything it is read once. */
  findToWrite(id: SessionId): Promise<SessionId>;
  /** Makes `findToWrite` look again: the session was purged. */
  forget(id: SessionId): void;
  /** True while this process runs a turn in the session. */
  isRunning(id: SessionId): boolean;
}

interface AppOptions extends Pick<App, 'speaker' | 'place'> {
  readonly access?: Access;
  readonly env?: Environment;
  /** This and the next two are shared by the apps of all callers of a server, and closed by it. */
  readonly sessions?: OpenSessions;
  readonly index?: SearchIndex;
  readonly desks?: WorkDesks;
  /** For its handles: the name under which they hold a session, how long they wait for one, and those there are. */
  readonly lease?: Pick<OpenSessionsOptions, 'owner' | 'waitMs' | 'held' | 'open'>;
  readonly isRunning?: (id: SessionId) => boolean;
  /** Ids that were found before, shared in the same way. A purged one is refused by the store. */
  readonly found?: Set<SessionId>;
}

/** Opens nothing: each part is made when an operation first uses it. The store stays open when the app is closed. */
export function createAppOperation(
  store: Store,
  {
    access = OWNER,
    env = process.env,
    sessions: shared,
    index: sharedIndex,
    desks: sharedDesks,
    lease,
    isRunning = () => false,
    found = new Set(),
    speaker,
    place,
  }: AppOptions = {},
): App {
  let own: OpenSessions | undefined;
  let ownIndex: Promise<SearchIndex> | undefined;
  let ownDesks: Promise<WorkDesks> | undefined;

  async function find(id: SessionId): Promise<SessionInfo> {
    // That a session is gone tells that there was one: an answer for callers that reach everything.
    const info = access.projects === null ? await getSession(store, id) : await store.session(id);
    if (info && (await isShown(store, access, info))) return info;
    throw refused('session-not-found', `No session "${id.slice(0, 80)}".`, { session: id });
  }

  return {
    store,
    access,
    env,
    speaker,
    place,
    get sessions() {
      own ??= shared ?? createOpenSessions(store, lease);
      return own;
    },
    async index() {
      if (sharedIndex) return sharedIndex;
      ownIndex ??= import('../search/index.ts').then(({ openSearchIndex }) => openSearchIndex(store));
      return ownIndex;
    },
    async desks() {
      if (sharedDesks) return sharedDesks;
      ownDesks ??= import('./work/work-desks.ts').then(({ createWorkDesks }) => createWorkDesks(store));
      return ownDesks;
    },
    find,
    async findToWrite(asked) {
      if (access.projects === null && found.has(asked)) return asked;
      const { id } = await find(asked);
      if (found.size >= MOST_FOUND) found.clear();
      found.add(id);
      return id;
    },
    forget: (id) => void found.delete(id),
    isRunning,
    async [Symbol.asyncDispose]() {
      if (!shared) await own?.close();
      await (await ownDesks)?.close();
      await (await ownIndex)?.[Symbol.asyncDispose]();
    },
  };
}

const MOST_FOUND = 10_000;
