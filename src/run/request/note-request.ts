import { createHash } from 'node:crypto';
import type { BuiltContext, Recalled } from '../../context/index.ts';
import type { Entry, Seq } from '../../record/index.ts';
import type { Frame, Request } from './build-request.ts';

// What was sent can be built again from the log, but for what stands around the conversation and what was recalled. Both
// are written down with the first answer that they were sent for; later answers say where.

/** Something that is written down once: what it is, and the number of the answer that holds it, if that is another one. */
export interface Noted {
  readonly hash: string;
  readonly at?: Seq;
}

/** What an answer that holds them has in `meta`, beside the notes in `meta.run`. */
export interface HeldNotes {
  readonly request?: Frame;
  readonly recalled?: readonly Recalled[];
}

/** What is kept with an answer about its request. */
export function noteRequest({ context, estimated, seq, frame, recalled, newest }: Request): {
  readonly run: Pick<AnswerNotes, 'estimated' | 'prefix' | 'seq' | 'sent' | 'frame' | 'recall'>;
  readonly held: HeldNotes;
} {
  const framed = noteOnce(frame, newest, 'frame');
  const found = recalled.length === 0 ? undefined : noteOnce(recalled, newest, 'recall');
  return {
    run: {
      estimated,
      prefix: prefixNote(context),
      seq,
      sent: context.prefix.at(-1)!,
      frame: framed,
      ...(found && { recall: found }),
    },
    held: {
      ...(framed.at === undefined && { request: frame }),
      ...(found && found.at === undefined && { recalled }),
    },
  };
}

function noteOnce(value: unknown, newest: readonly Entry[], name: 'frame' | 'recall'): Noted {
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
  for (const entry of newest) {
    const known = answerNotes(entry)[name];
    if (known?.hash === hash) return { hash, at: known.at ?? entry.seq };
  }
  return { hash };
}

/**
 * Whether the request goes on from the last one that this model answered, and if not, what is different: a provider's
 * cache ends there. `undefined` if it does, or if nobody can tell.
 */
export function prefixChange(
  { prefix, tokens }: Pick<BuiltContext, 'prefix' | 'tokens'>,
  frontier: readonly Entry[],
  model: string,
): { readonly part: 'head' | 'messages'; readonly tokens: number } | undefined {
  const last = frontier.findLast(({ body }) => body.kind === 'message' && body.model === model);
  const sent = last && answerNotes(last).prefix;
  if (!sent) return undefined;
  if (prefix[0] !== sent.head) return { part: 'head', tokens };
  return prefix[sent.messages] === sent.all ? undefined : { part: 'messages', tokens };
}

/** Up to the newest question and what was recalled for it: from there on every request is another one. */
export function prefixNote({ prefix, messages, recalled }: BuiltContext): {
  head: string;
  all: string;
  messages: number;
} {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const stable = Math.max(0, recalled.length > 0 ? question - 1 : question);
  return { head: prefix[0]!, all: prefix[stable]!, messages: stable };
}

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
