import type { Author, Entry, Summary, SummaryCall, Usage } from '../record/index.ts';

export interface SummariseRequest {
  /** In the order of the conversation: messages, and compactions whose summaries are merged. */
  readonly entries: readonly Entry[];
  /** What the conversation before these entries meant, for one or two sentences of background. */
  readonly before?: Summary;
  /** The request that the range begins in the middle of. It stands before the range and stays; the range answers it. */
  readonly asked?: Entry;
  /** What follows the range and stays: it is not summarised, but it may answer or take back what the range says. */
  readonly after?: readonly Entry[];
  /**
   * What summaries by other programs' models said before the entries. It stays beside the new summary, word for word, with
   * what the entries themselves hold of such text.
   */
  readonly foreign?: string;
  /** The most that this text may take beside `maxTokens`. */
  readonly foreignTokens?: number;
  /** The summary as a model will read it must not be larger. */
  readonly maxTokens: number;
  /** Tokens as the model of the session counts them, for one as they are counted here. 1 unless given. */
  readonly scale?: number;
  /** What the person who asked for the compaction wants kept in mind. */
  readonly instructions?: string;
  /** Lines that were stated (`Decision: …`) are added word for word, whatever room they take beside the summary. */
  readonly keepStated?: boolean;
}

export interface Summarised {
  readonly summary: Summary;
  readonly by: Author;
  /** Its usage, as far as not reported to `answered`. */
  readonly usage?: Usage;
  /** How long it was before it was made to fit. */
  readonly writtenTokens?: number;
  /** The model stopped because it ran out of room, not because it was done. */
  readonly cutOff?: boolean;
  /** How a model was asked, and why so, where there was a choice. */
  readonly call?: SummaryCall;
}

export interface SummariserOptions {
  readonly signal: AbortSignal;
  /** Called after every paid answer: it counts whatever comes of the summary, and is a sign of life. */
  readonly answered: (usage: Usage) => void;
}

/** Turns a range into a summary. May fail, hang or lie: the caller checks the result. */
export interface Summariser {
  readonly name: string;
  /** So long may one of its answers take. Two minutes unless given. */
  readonly timeoutMs?: number;
  summarise(request: SummariseRequest, options: SummariserOptions): Promise<Summarised>;
  /** Writes instead of it when no model may be asked. Without one the digest does. */
  readonly withoutModel?: Summariser;
}
