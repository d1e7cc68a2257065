import type { Entry, EntryId, SessionId, SessionState, Summary } from '../record/index.ts';
import type { ContextMessage } from './context-message.ts';

/** One piece of the head. Sent word for word, in the order given, so keep the order and leave out changing values. */
export interface HeadPiece {
  readonly part: string;
  readonly text: string;
}

export interface ContextTool {
  readonly name: string;
  readonly description?: string;
  /** JSON schema. */
  readonly inputSchema?: unknown;
}

export interface Recalled {
  readonly entry: EntryId;
  readonly seq: number;
  /** Only where it is another session than the one that is asked in: the one that this was resumed from. */
  readonly session?: SessionId;
  readonly role: string;
  /** When it was said, in milliseconds; without it no date is shown. */
  readonly at?: number;
  readonly text: string;
}

/** What a context is made from. Entries are never changed, and derived values are remembered as long as the entry lives. */
export interface ContextState {
  readonly head: readonly HeadPiece[];
  readonly tools?: readonly ContextTool[];
  /** In the order of the conversation, as `readFrontier` gives it. */
  readonly frontier: readonly Entry[];
  /** Pinned entries that a compaction covers, read whole; those that are bare stand in the frontier. */
  readonly pinned: readonly Entry[];
  readonly marks: Pick<SessionState, 'pinned' | 'excluded' | 'removed'>;
  /** Hits for the newest question, best first. */
  readonly recall?: readonly Recalled[];
  /** `provider:model` the request goes to. Reasoning goes only to the model that it came from. */
  readonly model?: string;
}

export interface Budget {
  /** Tokens of the model's window, question and answer together. */
  readonly window: number;
  /** The most tokens the model writes in one answer. */
  readonly outputLimit?: number;
  /** Tokens kept free for the answer, at most half the window; without it a quarter of the window, 1,000 to 8,000. */
  readonly reserve?: number;
  /** Of the request as JSON. */
  readonly maxBytes?: number;
  readonly maxImages?: number;
  /** For recalled messages, out of the room that is left: 2,000 unless given. */
  readonly recallTokens?: number;
  /** From the local estimate to what the provider will count. Grows with its argument. */
  readonly correct?: (tokens: number) => number;
}

export interface ContextOptions {
  /** Summarises turns that do not fit, for this request only. Without it they are left out and counted. */
  readonly digest?: (entries: readonly Entry[], maxTokens: number) => Summary;
}

/** The rungs of the ladder, in the order they are tried. */
export type Rung =
  | 'bound-media'
  | 'cut-unread-outputs'
  | 'stub-outputs'
  | 'digest-turns'
  | 'leave-out-turns'
  | 'shorten-summaries'
  | 'merge-summaries'
  | 'cut-messages';

export interface LeftOut {
  /** What kind of thing; `turns` and `answers` are messages of older turns and of the newest one. */
  readonly what: string;
  /** How many entries it is about; none for texts written for this request only. */
  readonly entries: number;
  /** By the local estimate. */
  readonly tokens: number;
  readonly reason: string;
}

export interface BuiltContext {
  instructions: string;
  messages: ContextMessage[];
  /** Every piece by name, with `reserve` and `free`; adds up to the window. */
  parts: { part: string; tokens: number }[];
  /** Of the request; never more than the window minus the reserve. */
  tokens: number;
  window: number;
  reserve: number;
  /** The most output to ask for: the room left, and no more than the model's own limit. */
  maxOutput: number;
  leftOut: LeftOut[];
  /** What of the recalled is in the request, best first. */
  recalled: Pick<Recalled, 'session' | 'entry' | 'seq'>[];
  /** The entries that are in the request, whole or shortened, in the order of the request; records of them are not counted. */
  entries: EntryId[];
  /** Which rungs were needed; empty when everything is sent as it is. */
  steps: Rung[];
  /** A hash after the instructions and tools, then one after each message, each of everything up to there. */
  prefix: string[];
  /** Where a provider's cache is worth a mark. */
  seams: Seams;
}

/** Where the requests of a session stop being alike, counted in messages from the beginning. A cache is kept up to there. */
export interface Seams {
  /** Behind pins and summaries: the rest is replaced by the next compaction. */
  readonly records: number;
  /** Before the recalled messages and the newest question: the next turn recalls something else. */
  readonly turn: number;
  /** Where the request before this one was alike up to, if more than `LOOK_BACK` parts were added since. */
  readonly before?: number;
  /** The end of what later requests may begin with, if that is not the end of the request. */
  readonly end?: number;
}
