import type { EntryId, Place, Role, Seq, SessionId } from '../record/index.ts';

/**
 * Finds anything ever said. The index is a projection of the logs in a separate file: it can be deleted at any time and is made
 * again from them. Appending costs nothing; new entries are found after the next `catchUp`.
 */
export interface Recall extends AsyncDisposable {
  /**
   * Reads new entries of any process, and forgets purged sessions. Can be killed and goes on where it was: every batch is there
   * with its position, or not at all.
   */
  catchUp(options?: CatchUpOptions): Promise<CatchUpReport>;

  /** Best first. Any text is a query; with an empty one, the newest messages that pass the filters. */
  search(query: string, options?: SearchOptions): Promise<Hit[]>;

  /** Removes every trace of a session. One that is still in the store comes back with the next `catchUp`. */
  forget(session: SessionId): Promise<void>;

  stats(): Promise<RecallStats>;
}

export interface RecallOptions {
  /** Where the index is kept; `:memory:` for nowhere. Beside the store if that is a file, else in memory. */
  readonly file?: string;
  /** Applied to every text before it is indexed or shown. */
  readonly redact?: (text: string) => string;
  /** Names the rules of `redact`: an index that was made under another name is made again. */
  readonly edition?: string;
  /** Another sense of meaning than the embedded word table, with a separate index; `none` for words only. */
  readonly embedder?: Embedder | 'none';
  /** Called with the reason when the embedder failed. Nothing else happens: what has no vector is found by words. */
  readonly onEmbedderFailure?: (error: unknown) => void;
  /** How long to wait while other processes write the index. */
  readonly patienceMs?: number;
}

/** Turns texts into vectors, all of one length. An index whose vectors have another name is made again. */
export interface Embedder {
  readonly name: string;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

export interface CatchUpOptions {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
  /** Only these sessions; the others are looked at another time. */
  readonly sessions?: readonly SessionId[];
  /** No further than to this entry of each. */
  readonly upTo?: Seq;
}

export interface CatchUpReport {
  /** Messages that were indexed. */
  readonly messages: number;
  /** Sessions that were forgotten because the store no longer has them. */
  readonly forgotten: number;
  /** Entries that could not be read; "doctor" names them. They are passed over, so that the rest can be found. */
  readonly unreadable: number;
  /** Messages that are found by words only, because the embedder failed; the next `catchUp` asks it again. */
  readonly withoutMeaning: number;
}

export interface SearchOptions extends Filters {
  readonly limit?: number;
  /** `both` (the default), or one of them; names, paths, prefixes and quotes always go by words. */
  readonly by?: 'both' | 'words' | 'meaning';
  /** How many messages before and after each hit to bring along. */
  readonly neighbours?: number;
  /** One hit for messages of a session that are nearly copies of each other: the best of them. */
  readonly collapse?: boolean;
  /** What stands around a match in a snippet. */
  readonly mark?: readonly [string, string];
  /** Roughly how long a snippet is, in characters. */
  readonly snippetLength?: number;
  /** When it is asked, for words such as "yesterday"; without it they mean no time, and one query has one answer. */
  readonly now?: number;
}

/** All that are given have to hold. */
export interface Filters {
  /** What one sees in this session: its own messages, and those it shares with the sessions it was forked from. */
  readonly session?: SessionId;
  /** Everything in the family of this session: forebears, forks, resumptions. */
  readonly lineage?: SessionId;
  /** Only these sessions, such as those of a project. */
  readonly sessions?: readonly SessionId[];
  /** What sessions call their project, letter for letter. */
  readonly project?: string;
  readonly agent?: string;
  readonly tag?: string;
  /** Without it everywhere but in the trash. */
  readonly place?: Place;
  readonly role?: Role | readonly Role[];
  /** Milliseconds since 1970, both included. */
  readonly since?: number;
  readonly until?: number;
  /** Messages with a tool call that names this file, or a file in this folder. The end of the path is enough. */
  readonly file?: string;
  /** Messages that state a choice, in the words that summaries list decisions by. */
  readonly decision?: true;
  /** Only within these ranges, such as what a compaction covers. */
  readonly within?: readonly RangeIn[];
}

export interface RangeIn {
  readonly session: SessionId;
  readonly from: Seq;
  readonly to: Seq;
}

export interface Hit {
  /** The session that owns the entry; forks that share it see it as well. */
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly role: Role;
  readonly at: number;
  readonly snippet: string;
  /** Between 0 and 1 within one search; not comparable between searches. */
  readonly score: number;
  /**
   * How much of the query the message holds, in its words or in near synonyms: 0 for nothing, 1 for all of it. Comparable
   * between searches. A message that is only beside a match has little of it.
   */
  readonly cover: number;
  /** So many more messages are nearly copies of it; only when they are collapsed. */
  readonly alike?: number;
  /** No message holds what the query has in quotes; this one is found without them. */
  readonly loose?: true;
  /** Oldest first; only when asked for. */
  readonly neighbours?: readonly Neighbour[];
}

export interface Neighbour {
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly role: Role;
  readonly at: number;
  readonly text: string;
}

export interface RecallStats {
  /** The file, or `:memory:`. */
  readonly location: string;
  readonly sessions: number;
  readonly messages: number;
  readonly bytes: number;
  /** What meaning goes by; absent when there are words only. */
  readonly embedder?: string;
}
