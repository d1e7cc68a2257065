import type { Entry, EntryBody, EntryId, NewEntry, Seq, SessionId, SessionInfo } from '../record/index.ts';
import type { ReadRange, Store } from '../store/index.ts';

/**
 * `write` holds the session's lease: no other process adds messages until it is closed. `join` appends without a lease, for
 * many writers that do not care about each other's order. `read` appends nothing.
 */
export type SessionMode = 'write' | 'join' | 'read';

/** An open session handle. What can be done with one beyond this are functions: `forkSession`, `tagSession` … */
export interface Session extends AsyncDisposable {
  readonly id: SessionId;
  readonly store: Store;
  readonly mode: SessionMode;
  /** As of the last append or refresh through this handle. */
  readonly info: SessionInfo;

  /**
   * Appends in order and resolves once everything is safe. If the disk refuses, it rejects with `not-saved`, keeps the
   * entries in memory and writes them, in order, as soon as writing works again.
   */
  append(entries: readonly (EntryBody | NewEntry)[], options?: { expectedHead?: Seq }): Promise<Entry[]>;

  /** Entries that could not be written yet, oldest first. While there are any, say so and take no new turn. */
  readonly unsaved: readonly NewEntry[];
  /** Tries to write them now. Rejects with `not-saved` if that still fails. */
  flush(): Promise<void>;

  read(range?: ReadRange): Promise<Entry[]>;
  /** All entries of a range, a page at a time. */
  entries(range?: Pick<ReadRange, 'after' | 'upTo' | 'only'>): AsyncIterable<Entry>;
  entry(id: EntryId): Promise<Entry>;
  /** The entry with every large value in place, as it was appended. */
  whole(entry: Entry): Promise<Entry>;
  refresh(): Promise<SessionInfo>;

  /**
   * Writes unsaved entries and gives the lease back. If that is refused it rejects with `not-saved`, and the session stays open
   * until it is written or closed again.
   */
  close(): Promise<void>;
}
