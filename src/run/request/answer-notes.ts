import type { Entry } from '../../record/index.ts';

/** What is kept with an answer about the request that it answers, in `meta.run`. */
export interface AnswerNotes {
  /** Tokens of the request by the local estimate, before calibration. */
  readonly estimated?: number;
  /** What the next request should begin with: hashes of the head and of everything before the newest question. */
  readonly prefix?: { readonly head: string; readonly all: string; readonly messages: number };
  readonly finishReason?: string;
  /** Calls that cannot be run, by id, with what is wrong with them. */
  readonly invalid?: Readonly<Record<string, string>>;
  readonly sources?: readonly unknown[];
}

export function answerNotes({ body }: Pick<Entry, 'body'>): AnswerNotes {
  const run = body.kind === 'message' ? body.meta?.run : undefined;
  return typeof run === 'object' && run !== null ? run : {};
}
