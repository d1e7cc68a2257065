import type {
  Compaction,
  EntryBody,
  EntryId,
  ImportedSettings,
  Parent,
  Seq,
  SessionId,
  SessionInfo,
  Summary,
} from '../record/index.ts';

// The shape that all formats share. A reader turns a file into findings, in the order of the file; the importer alone knows
// the store: where an entry goes, which branch it is on, whether it is there already. What an entry becomes is decided by the
// lines up to it, so a file that has grown gives the same entries again and then the new ones.

/** What a reader finds, a batch at a time. */
export type Reader = (source: TranscriptSource) => AsyncGenerator<readonly Found[]>;

export type Found = FoundSession | FoundEntry | FoundPlace | FoundDamage | FoundQuiet;

/** `sdkSessionId` is a foreign name: it is shown, and nothing here goes by it. */
export type FoundSettings = ImportedSettings & { sdkSessionId?: string };

/** What follows belongs to this session, until another one is named. Naming one again goes back to it. */
export interface FoundSession {
  readonly kind: 'session';
  /** What the source calls it: the same for every copy of the file. */
  readonly key: string;
  /** Only our own format says exactly which session it is; others get an id made from their key. */
  readonly own?: {
    readonly id: SessionId;
    readonly parent?: Parent;
    /** Its first entry that can be read: another session may have the same id, but not this entry. */
    readonly first?: EntryId;
  };
  readonly createdAt?: number;
  /** What the session is born with, besides where it came from. */
  readonly settings?: FoundSettings;
  readonly tags?: readonly string[];
  /** The file holds only the newest part of the conversation: records missing from it are not taken back. */
  readonly window?: true;
}

export interface FoundEntry {
  readonly kind: 'entry';
  /** Derived from the source, so that reading it again is a repeat. */
  readonly id: EntryId;
  readonly at: number;
  readonly body: FoundBody;
  /** What it follows, if that is not the entry before it; `null` is the start of the session. */
  readonly after?: EntryId | null;
  /** Its number, where the source says so. */
  readonly seq?: Seq;
  /** Made from the entry before it, which the next one still follows. */
  readonly aside?: true;
  /** A line of a type that the reader does not know, carried as it is. */
  readonly unknown?: true;
  /** It was given before and is given again as it is now, with what followed it: a file that is being followed. */
  readonly again?: true;
}

/** The file ends here, although its last entry is elsewhere: where one would go on. */
interface FoundPlace {
  readonly kind: 'place';
  readonly after: EntryId;
}

export type FoundBody = Exclude<EntryBody, Compaction> | Compaction | FoundCompaction;

/** A compaction of another program: it knows what it kept, not our numbers. */
export interface FoundCompaction {
  readonly kind: 'found-compaction';
  /** The oldest entry that stayed in the context; without one everything before it is covered. */
  readonly keepFrom?: EntryId;
  /** The first and the last entry it covers, where it does not cover all from the beginning. */
  readonly covers?: { readonly from: EntryId; readonly to: EntryId };
  readonly text: string;
  /** What it says in lists, where the format has them. */
  readonly summary?: Summary;
  readonly tokensBefore?: number;
  readonly model?: string;
  readonly usage?: Compaction['usage'];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Something broken that was survived. The readable rest of it comes as a separate entry. */
interface FoundDamage {
  readonly kind: 'damage';
  readonly what: DamageKind;
}

export type DamageKind =
  /** A record that stops in the middle. */
  | 'torn'
  /** Several records on one line. */
  | 'glued'
  /** Bytes of zero where text should be. */
  | 'nul'
  /** A line break inside a record. */
  | 'broken-line'
  /** The same record again. */
  | 'repeated'
  /** It names a parent that is not there. */
  | 'missing-parent'
  /** Bytes that are not UTF-8. */
  | 'not-utf8'
  /** JSON, but not in the form that the format has. */
  | 'misshapen'
  /** Our own format only: an entry is missing. */
  | 'lost'
  /** Our own format only: the text read differs from the text written. */
  | 'differs';

/** Nothing more for now: records held back are given as they are. */
interface FoundQuiet {
  readonly kind: 'quiet';
}

/** Where a reader gets its bytes. */
export interface TranscriptSource {
  /** For messages and for formats that say something by it; never part of an id. */
  readonly name: string;
  /** What the file belongs to. Part of the ids of sessions that have no name in their file, so that two equal files are two. */
  readonly home?: string;
  /** The folder that it lies in, by its own name. */
  readonly folder: string;
  /** Where it lies, for formats that are not read from front to back. */
  readonly path?: string;
  /** The bytes in order. In between `null` means that there are no more for now. */
  chunks(): AsyncIterable<Uint8Array | null>;
  /** A file beside this one, whole; `undefined` if there is none. */
  beside(name: string): Promise<string | undefined>;
  /** When the file was last changed: the time of what says nothing about its own. */
  readonly changedAt: number;
}

/** The log of a session on its way out: whole entries, oldest first, as often as one asks. */
export interface OutgoingSession {
  readonly info: SessionInfo;
  /** Along the whole lineage, or only those after `after`. */
  entries(range?: { after?: Seq }): AsyncIterable<OutgoingEntry>;
  /** Those that are not messages: few. */
  notes(after: Seq): AsyncIterable<OutgoingEntry>;
}

export interface OutgoingEntry {
  readonly id: EntryId;
  readonly seq: Seq;
  readonly at: number;
  /** With every large value in place. */
  readonly body: EntryBody;
}

/** Sessions that are written together. */
export interface Family {
  /** Each behind the one it was forked from. */
  readonly sessions: readonly OutgoingSession[];
  /** The line to go on with. */
  readonly asked: OutgoingSession;
  /** The entry of it from which on everything stands at the very end, if that is not its last. */
  readonly end?: EntryId;
}

/** Pieces of text for one or several files, in order. */
export interface Written {
  /** Path below where it is written to; most formats are one file. */
  readonly file: string;
  readonly text: string;
}

export interface TranscriptOptions {
  /** Formats for people: show tool calls and what they gave back. */
  readonly tools?: boolean;
  /** The same: where the transcript of the session that this one was resumed from lies. */
  readonly previousSession?: string;
  /** What the session is called in the file, if not as where it came from: so it lies beside its original. */
  readonly name?: string;
  /** Called with each entry that the format has no place for. */
  readonly onLeftOut?: (entry: OutgoingEntry) => void;
}

export type Writer = (family: Family, options?: TranscriptOptions) => AsyncGenerator<Written>;
