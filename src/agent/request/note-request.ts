import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BuiltContext, Recalled } from '../../context/index.ts';
import type { Entry, RequestNote, SessionInfo, Usage } from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { TurnOptions } from '../turn-options.ts';
import type { ModelRequest, RequestFrame } from './build-request.ts';
import { lastingOptions } from './provider-options.ts';

// A request can be built again from the log, but for its head and the recalled messages. Both are written down with the first
// answer that they were sent for; later answers say where.

// A log may come from anywhere: a note of another shape is none.
function note<T extends z.ZodType>(shape: T) {
  return shape.optional().catch(undefined);
}

/** Something that is written down once: what it is, and the number of the answer that holds it, if that is another one. */
const Noted = z.object({ hash: z.string(), at: z.int().min(1).exactOptional() });
type Noted = z.output<typeof Noted>;

const Limit = z.number().min(0).optional();
const FrameShape = z.object({
  head: z.array(z.object({ part: z.string(), text: z.string() })),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  limits: z.object({
    window: z.int().min(1),
    outputLimit: Limit,
    reserve: Limit,
    maxBytes: Limit,
    maxImages: Limit,
    recallTokens: Limit,
  }),
});
const RecalledShape = z.object({
  entry: z.string(),
  seq: z.int(),
  session: z.string().optional(),
  role: z.string(),
  at: z.number().optional(),
  text: z.string(),
});

/** What an answer that holds them has in `meta`, beside the notes in `meta.run`. */
const HeldNotes = z.object({
  request: note(z.custom<RequestFrame>((value) => FrameShape.safeParse(value).success)),
  recalled: note(z.array(z.custom<Recalled>((value) => RecalledShape.safeParse(value).success))),
});
type HeldNotes = z.output<typeof HeldNotes>;

/** A request as it is sent. */
export interface Sent extends ModelRequest {
  /** Why it does not begin as the one before it. */
  readonly cacheBreak: CacheBreak | undefined;
  readonly providerOptions: TurnOptions['providerOptions'];
}

/** The note of a request in its answer. */
export function noteRequest(
  { context, estimated, raised, seq, frame, recalled, newest, cacheBreak, providerOptions }: Sent,
  usage?: Usage,
): {
  readonly run: Partial<AnswerNotes>;
  readonly held: { readonly request?: RequestFrame; readonly recalled?: readonly Recalled[] };
} {
  const framed = noteOnce(frame, newest, 'frame');
  const found = recalled.length === 0 ? undefined : noteOnce(recalled, newest, 'recall');
  const options = optionsNote(providerOptions);
  return {
    run: {
      estimated,
      ...(raised > 1 && { raised }),
      prefix: prefixNote(context),
      seq,
      sent: context.prefix.at(-1)!,
      frame: framed,
      ...(found && { recall: found }),
      ...(options !== undefined && { options }),
      ...(cacheBreak && !isRefuted(cacheBreak, usage) && { cacheBreak }),
    },
    held: {
      ...(framed.at === undefined && { request: frame }),
      ...(found && found.at === undefined && { recalled }),
    },
  };
}

function noteOnce(value: unknown, newest: readonly Entry[], name: 'frame' | 'recall'): Noted {
  const hash = shortHash(value);
  for (const entry of newest) {
    const known = answerNotes(entry)[name];
    if (known?.hash === hash) return { hash, at: known.at ?? entry.seq };
  }
  return { hash };
}

/** A hash of the provider's options: they may hold keys, and all that is compared is whether they are the same. */
export function optionsNote(options: TurnOptions['providerOptions']): string | undefined {
  const lasting = options && lastingOptions(options);
  return lasting && shortHash(lasting);
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** Up to the newest question and its recalled messages: from there on every request is another one. */
function prefixNote({ prefix, messages, recalled }: BuiltContext): {
  head: string;
  all: string;
  messages: number;
} {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const stable = Math.max(0, recalled.length > 0 ? question - 1 : question);
  return { head: prefix[0]!, all: prefix[stable]!, messages: stable };
}

/** Why a request does not begin as the one before it, so that the provider has to read it anew from there. */
export const CacheBreak = z.object({
  part: z.enum(['head', 'messages']),
  cause: z.enum([
    'tools',
    'instructions',
    'model',
    'expired',
    'compaction',
    'marks',
    'refused',
    'fitting',
    'other',
  ]),
  /** Which part of the instructions changed, or the model that was asked before. */
  name: z.string().optional(),
});
export type CacheBreak = z.output<typeof CacheBreak>;

/** A provider may keep what it has read for longer than it promises: what it reports is believed. */
function isRefuted({ cause }: CacheBreak, usage: Usage | undefined): boolean {
  return cause === 'expired' && 2 * (usage?.cacheReadTokens ?? 0) > (usage?.inputTokens ?? 0);
}

/** The note of a request in its answer, in `meta.run`. */
export const AnswerNotes = z.object({
  /** Tokens of the request by the local estimate, before calibration. */
  estimated: note(z.number().positive()),
  /** By how much more a tokenizer counted than the estimate, if the request had to be shorter for it. */
  raised: note(z.number().min(1)),
  /** What the next request should begin with: hashes of the head and of everything before the newest question. */
  prefix: note(z.object({ head: z.string(), all: z.string(), messages: z.int().min(0) })),
  /** Tokens of the request as the provider counted it, where its usage is of another one; 0 if it read another one. */
  counted: note(z.number().min(0)),
  /** The request was made from the log up to here. */
  seq: note(z.int().min(0)),
  /** A hash of all of it, instructions, tools and messages. */
  sent: note(z.string()),
  /** The head around the conversation, and the messages recalled for the question. */
  frame: note(Noted),
  recall: note(Noted),
  /** Why it did not begin as the request before it. */
  cacheBreak: note(CacheBreak),
  /** A hash of the provider's options that it was sent with. */
  options: note(z.string()),
  /** How long the provider keeps what it read, where that is not its usual time. */
  keptMs: note(z.number().positive()),
} satisfies Record<RequestNote, z.ZodType>);
export type AnswerNotes = z.output<typeof AnswerNotes>;

export function answerNotes({ body }: Pick<Entry, 'body'>): Partial<AnswerNotes> {
  const run = body.kind === 'message' ? body.meta?.run : undefined;
  return AnswerNotes.safeParse(run).data ?? {};
}

/** What an answer says about its request itself, or leaves to an earlier one. */
export async function holderOf(
  store: Store,
  { id }: SessionInfo,
  { answer, noted: { at } }: { answer: Entry; noted: Noted },
): Promise<Partial<HeldNotes>> {
  const [entry] = at === undefined ? [answer] : await store.read(id, { after: at - 1, upTo: at });
  if (!entry) return {};
  const body = await wholeBody(entry.body, (hash) => store.blob(hash));
  return body.kind === 'message' ? (HeldNotes.safeParse(body.meta).data ?? {}) : {};
}
