import type { Entry, Seq } from '../../record/index.ts';
import type { Noted } from './note-request.ts';

/** What is kept with an answer about the request that it answers, in `meta.run`. */
export interface AnswerNotes {
  /** Tokens of the request by the local estimate, before calibration. */
  readonly estimated?: number;
  /** What the next request should begin with: hashes of the head and of everything before the newest question. */
  readonly prefix?: { readonly head: string; readonly all: string; readonly messages: number };
  /** The request was made from the log up to here. */
  readonly seq?: Seq;
  /** A hash of all of it, instructions, tools and messages. */
  readonly sent?: string;
  /** What stood around the conversation, and what was recalled for the question. */
  readonly frame?: Noted;
  readonly recall?: Noted;
  readonly finishReason?: string;
  /** Calls that cannot be run, by id, with what is wrong with them. */
  readonly invalid?: Readonly<Record<string, string>>;
  readonly sources?: readonly unknown[];
}

export function answerNotes({ body }: Pick<Entry, 'body'>): AnswerNotes {
  const run = body.kind === 'message' ? body.meta?.run : undefined;
  return typeof run === 'object' && run !== null ? run : {};
}
