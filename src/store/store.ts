import type {
  Entry,
  EntryBody,
  EntryId,
  NewEntry,
  Parent,
  Place,
  Seq,
  SessionId,
  SessionInfo,
  StoredPlace,
} from '../record/index.ts';

/**
 * Where sessions live. An id is exactly that id, never the start of one; only a UUID may be given in either case. The port assumes neither one process nor one machine: every method is one atomic step, and
 * whatever two callers can race for is decided inside it. Entries are never updated, short of `rewrite`, nor deleted, short
 * of `purge`. testing/store-contract holds every store to the sentences below.
 */
export interface Store extends AsyncDisposable {
  readonly facts: StoreFacts;

  /**
   * Creates a session together with its first entries, all or nothing. A taken id is `session-exists`, one of a purged
   * session `session-gone`. A fork costs one row whatever the length of its parent: it shares the parent's entries up to
   * `parent.seq` by reference.
   */
  create(session: NewSession, entries?: readonly NewEntry[]): Promise<SessionInfo>;

  session(id: SessionId): Promise<SessionInfo | undefined>;

  /** Sessions whose id starts with `text`, or whose title is `text` (any case): newest first. For opening by name. */
  find(text: string, options: { limit: number }): Promise<SessionInfo[]>;

  /** Newest first, one page; costs the page, not the number of sessions. */
  list(query: SessionQuery): Promise<SessionPage>;

  /** Conversations; the logs of projects are not among them. */
  count(): Promise<Readonly<Record<Place, number>>>;

  /**
   * Appends all entries or none, in order, and resolves once they would survive a crash. An id that is already in the
   * session with the same body is a repeat and returns the first result; with another body it is `entry-conflict`.
   */
  append(id: SessionId, entries: readonly NewEntry[], options?: AppendOptions): Promise<Entry[]>;

  /** Entries strictly after `after`, up to and including `upTo`, along the whole lineage. An unreadable one throws. */
  read(id: SessionId, range?: ReadRange): Promise<Entry[]>;

  entry(id: SessionId, entry: EntryId): Promise<Entry | undefined>;

  /**
   * Many at one moment, in the order they are named; `undefined` for one that is not there, nor its session perhaps. An
   * unreadable one throws, and then none is had.
   */
  entries(named: readonly EntryName[]): Promise<(Entry | undefined)[]>;

  /** The bytes behind a blob reference, checked against their hash. */
  blob(hash: string): Promise<Uint8Array>;

  /**
   * Grants the right to append, renews it (same token), or takes it from the holder named by `replaces`. Another owner's
   * unexpired lease is `lease-held`, with the holder in the error's details.
   */
  claimLease(id: SessionId, claim: LeaseClaim): Promise<Lease>;

  /** The lease that is held now, by a process that may have died; `undefined` if it was given back or has expired. */
  lease(id: SessionId): Promise<Lease | undefined>;

  /** Gives the lease back. Not holding it is no error. */
  releaseLease(id: SessionId, token: string): Promise<void>;

  /**
   * Deletes a session for good, with the blobs that only it used. One that is being written (`lease-held`) or that others were
   * forked from (`session-has-forks`) is refused. Its id and the time are kept: from then on reading, writing, creating and
   * purging it is `session-gone`.
   */
  purge(id: SessionId): Promise<PurgeReport>;

  /**
   * Puts other bodies in the place of some that a session's own entries have, all or none: for secrets that were found later,
   * and for nothing else. Ids, numbers and times stay; what follows from the log follows from the new one; blobs without
   * references are gone. One that is being written is refused (`lease-held`).
   */
  rewrite(id: SessionId, entries: readonly RewrittenEntry[]): Promise<PurgeReport>;

  /**
   * Calls `listener` soon after entries were appended, by any process; with the session if that is known. A hint: it
   * may come twice or for nothing, so read from a cursor. Returns the way to stop.
   */
  onChange(listener: (session?: SessionId) => void): () => void;

  /**
   * Resolves if the store can be read and written right now: a write that changes nothing is made durable. Otherwise it
   * throws what any other write would.
   */
  probe(): Promise<void>;

  /** Reads everything once and reports damage. Changes nothing. */
  verify(options?: SweepOptions): Promise<VerifyReport>;

  /** Derives every projection from the logs again and says which differed. */
  rebuild(options?: SweepOptions): Promise<RebuildReport>;
}

export interface StoreFacts {
  readonly backend: string;
  /** Where it is, in words a person can use: a path, an address, "memory". */
  readonly location: string;
  readonly sharedAcrossProcesses: boolean;
  /** Set when nothing can be written, with the reason to show. */
  readonly readOnly?: string;
  /** Set when other users of the machine can open its files and that could not be changed: a sentence to show. */
  readonly exposed?: string;
}

export interface NewSession {
  /** A UUID is kept in lower case. */
  readonly id: SessionId;
  /** `session-exists` also if an id that is or was in the store starts with this one, or this one with it. For new names. */
  readonly prefixFree?: boolean;
  readonly createdAt?: number;
  readonly parent?: Parent;
}

export interface AppendOptions {
  /** The head the writer has seen. If entries were appended since, `head-moved` and nothing is written. */
  readonly expectedHead?: Seq;
  /**
   * The writer's lease. Without one, everything but marks and settings is refused while the lease is held (`lease-held`); with
   * one that was taken over, `lease-lost`.
   */
  readonly lease?: string;
  /** The ids were made for this very call, so none is looked up. A second try must not say so again. */
  readonly freshIds?: boolean;
}

export interface ReadRange {
  readonly after?: Seq;
  readonly upTo?: Seq;
  readonly limit?: number;
  readonly order?: 'oldest-first' | 'newest-first';
  /** Only messages, or only other entries (few, and indexed). */
  readonly only?: 'messages' | 'notes';
}

/** An entry, and a session that sees it. */
export interface EntryName {
  readonly session: SessionId;
  readonly entry: EntryId;
}

export interface SessionQuery {
  readonly limit: number;
  /** From the previous page. */
  readonly cursor?: string;
  readonly place?: StoredPlace;
  readonly project?: string;
  readonly tag?: string;
  readonly agent?: string;
  /** Only forks and resumptions of this session, wherever they are kept. */
  readonly parent?: SessionId;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Absent on the last page. */
  readonly cursor?: string;
}

/** Enough about a writer to ask whether it is still alive. */
export interface LeaseOwner {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** When the process started, as the system tells it: a reused pid is not the owner. */
  readonly startedAt: string;
}

export interface LeaseClaim {
  readonly token: string;
  readonly owner: LeaseOwner;
  readonly ttlMs: number;
  /** The token of a holder that the caller has found dead. */
  readonly replaces?: string;
}

export interface Lease {
  readonly token: string;
  readonly owner: LeaseOwner;
  readonly expiresAt: number;
}

/** An entry of a session, and what it is to say from now on. */
export interface RewrittenEntry {
  readonly id: EntryId;
  readonly body: EntryBody;
}

/** Deleted or rewritten ids. */
export interface PurgeReport {
  readonly entries: number;
  readonly blobs: number;
  readonly bytes: number;
}

export interface SweepOptions {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface Problem {
  readonly code:
    | 'entry-unreadable'
    | 'seq-gap'
    | 'blob-missing'
    | 'blob-damaged'
    | 'projection-differs'
    | 'file-damaged';
  readonly message: string;
  readonly session?: SessionId;
  readonly entry?: EntryId;
}

export interface VerifyReport {
  /** Sessions that have a log, and sessions that lists show: the difference has to be 0. */
  readonly stored: number;
  readonly listed: number;
  readonly entries: number;
  readonly blobs: number;
  readonly problems: readonly Problem[];
}

export interface RebuildReport {
  readonly sessions: number;
  /** Ids of the sessions whose projection was not what their log says; it is now. */
  readonly changed: readonly SessionId[];
}
