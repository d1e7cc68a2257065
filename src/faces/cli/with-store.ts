import { ThroughlineError } from '../../errors.ts';
import { type App, createAppOperation, openBehindServer } from '../../operations/index.ts';
import type { SessionId, SessionInfo } from '../../record/index.ts';
import { lookUpSession } from '../../session/index.ts';
import { createMemoryStore, openStore, type Store } from '../../store/index.ts';
import type { FoundHistory } from './agree-to-found.ts';
import { chooseStore, type StoreChoice } from './choose-store.ts';
import { readLastList } from './last-list.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { visibleText } from './terminal/visible-text.ts';
import { warnExposed } from './warn-exposed.ts';

/** The options that every command has. */
export interface GlobalOptions {
  readonly store?: string;
  readonly json?: boolean;
}

export interface Workplace {
  readonly store: Store;
  /** The same store, for operations. */
  readonly app: App;
  readonly choice: StoreChoice;
  /** The one session that a person means: an id, the start of one, a title, or a number of their last list. */
  readonly find: (reference: string, options?: { trashed?: boolean }) => Promise<SessionInfo>;
  /**
   * Several, each once, to change them: only the numbers of this shell's own list count, unless `own` is false. If one of them cannot be found
   * nothing is done to the others either.
   */
  readonly findAll: (
    references: readonly string[],
    options?: { trashed?: boolean; own?: boolean },
  ) => Promise<SessionInfo[]>;
  /** As `findAll`, with how each was found, for commands that ask before they act on a guess. */
  readonly lookUpAll: (
    references: readonly string[],
    options?: { trashed?: boolean },
  ) => Promise<FoundHistory[]>;
}

/** A person waits for no other program unasked, but for a server that is about to give the session back. */
const LEASE = { owner: 'throughline', waitMs: 0, open: openBehindServer };

/** Opens the store a command is about and closes it again, whatever happens. */
export async function withStore<T>(
  { store: named, json = false }: GlobalOptions,
  work: (workplace: Workplace) => Promise<T>,
): Promise<T> {
  const choice = chooseStore(named);
  // Looking at a store that is not there yet makes none: it reads like an empty one.
  await using store = choice.exists ? await openStore(choice.location) : createMemoryStore();
  await using app = createAppOperation(store, { lease: LEASE });
  const { readOnly } = store.facts;
  if (!json) warnExposed(store);
  if (readOnly && !json) note(dimNote(visibleText(`The store is read-only: ${readOnly}`)));

  async function lookUp(reference: string, { trashed = false, own = false } = {}): Promise<FoundHistory> {
    if (!choice.exists) throw noStore(reference, choice.location);
    const list = readLastList(choice.location, { own });
    return { reference, ...(await lookUpSession(store, reference, { trashed, ...(list && { list }) })) };
  }

  async function lookUpAll(references: readonly string[], options = {}): Promise<FoundHistory[]> {
    const all = new Map<SessionId, FoundHistory>();
    for (const reference of references) {
      const found = await lookUp(reference, { own: true, ...options });
      // A session that is named twice is no guess if one of the names is its id.
      if (!all.has(found.info.id) || found.by === 'id') all.set(found.info.id, found);
    }
    return [...all.values()];
  }

  return await work({
    store,
    app,
    choice,
    lookUpAll,
    find: async (reference, options) => (await lookUp(reference, options)).info,
    findAll: async (references, options) => (await lookUpAll(references, options)).map(({ info }) => info),
  });
}

function noStore(reference: string, location: string): ThroughlineError {
  return new ThroughlineError(
    'session-not-found',
    `No session "${reference}": there is no store at ${location} yet. Name another one with --store.`,
    { details: { session: reference, location } },
  );
}
