import { digestEntries, type Load } from '../../compaction/index.ts';
import {
  type BuiltContext,
  buildContext,
  cutAnswers,
  type Recalled,
  withoutAnswers,
  withoutUnsendable,
} from '../../context/index.ts';
import { type Entry, type EntryId, isHidden, type Seq, type SessionInfo } from '../../record/index.ts';
import { readConversation } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { calibrate, readNewest } from './calibrate.ts';
import type { Frame } from './frame.ts';

/** What a request is made with, beside the log. Plain data: it can be handed to another thread. */
export interface RequestPlan {
  /** `provider:model`. */
  readonly model: string;
  readonly frame: Frame;
  readonly recalled: readonly Recalled[];
  /**
   * The beginning of an answer to the question that is asked again: the model starts over. `cut`: of every answer to the
   * newest question that stopped halfway.
   */
  readonly hidden: readonly EntryId[] | 'cut';
  /** Entries that are in no log yet: what a turn writes before it asks. */
  readonly ahead?: readonly Entry[];
  /** The question that the request asks. */
  readonly input?: EntryId;
}

export interface Request {
  readonly context: BuiltContext;
  readonly load: Load;
  /** Of the request, by the local estimate. */
  readonly estimated: number;
  /** How many messages of the log are in it, the question not counted, and how many summaries. */
  readonly holds: { readonly messages: number; readonly summaries: number };
  /** What it was made from. */
  readonly frontier: readonly Entry[];
  /** The log up to here. */
  readonly seq: Seq;
  readonly frame: Frame;
  /** What of the recalled is in it. */
  readonly recalled: readonly Recalled[];
  readonly newest: readonly Entry[];
}

/** What is sent for a session as `info` knows it. */
export async function buildRequest(store: Store, info: SessionInfo, plan: RequestPlan): Promise<Request> {
  const { model, frame, recalled, hidden, ahead = [], input } = plan;
  const newest = await readNewest(store, info, ahead);
  const correct = calibrate(newest, model);
  const conversation = await readConversation(store, info, ahead);
  const cut = hidden === 'cut' ? cutAnswers(conversation.frontier) : new Set(hidden);
  const { frontier, pinned } = withoutAnswers(conversation, cut);
  const refused = info.state.settings.unsendable ?? [];
  const sendable = (entries: readonly Entry[]) => withoutUnsendable(entries, refused, model);
  const seen = sendable(frontier);
  const context = buildContext(
    {
      head: frame.head,
      tools: frame.tools,
      frontier: seen,
      pinned: sendable(pinned),
      marks: conversation.marks,
      recall: recalled,
      model,
    },
    { ...frame.limits, correct },
    { digest: (entries, maxTokens) => digestEntries(entries, { maxTokens }) },
  );
  const scale = correct(1_000_000) / 1_000_000;
  const active = seen.filter((entry) => !isHidden(conversation.marks, entry));
  const question = active.findLast(({ body }) => body.kind === 'message');
  const asked = question?.id === input ? question : undefined;
  return {
    context,
    load: loadOf(context, active, { scale, asked }),
    estimated: Math.round(context.tokens / scale),
    holds: holdsOf(context, active, input),
    frontier: conversation.frontier,
    seq: info.head,
    frame,
    newest,
    recalled: recalled.filter(({ entry }) => context.recalled.some((shown) => shown.entry === entry)),
  };
}

const SAID = ['messages', 'summary', 'recall', 'reserve', 'free'];

/**
 * How full the context is before it was made to fit: what did not fit is what compaction is for. As long as everything
 * fits, the question and what was recalled for it do not count. So what a session was resumed with is what is sent with
 * the next question, whenever there is room for both.
 */
function loadOf(
  context: BuiltContext,
  active: readonly Entry[],
  { scale, asked }: { scale: number; asked: Entry | undefined },
): Load {
  const counted = (entries: readonly Entry[]) =>
    Math.round(entries.reduce((sum, { tokens }) => sum + tokens, 0) * scale);
  const tokensOf = (isMeant: (part: string) => boolean) =>
    context.parts.reduce((sum, { part, tokens }) => (isMeant(part) ? sum + tokens : sum), 0);
  const fixed = tokensOf((part) => !SAID.includes(part));
  const fits = context.steps.length === 0;
  return {
    tokens: fits
      ? context.tokens - tokensOf((part) => part === 'recall') - counted(asked ? [asked] : [])
      : Math.max(context.tokens, fixed + counted(active)),
    room: context.window - context.reserve,
    messages: active.filter(({ body, id }) => body.kind === 'message' && id !== asked?.id).length,
    lines: active.length,
    fixed,
    scale,
  };
}

function holdsOf(
  { entries }: BuiltContext,
  active: readonly Entry[],
  input: EntryId | undefined,
): Request['holds'] {
  const sent = new Set(entries);
  const messages = active.filter(({ id, body }) => body.kind === 'message' && id !== input && sent.has(id));
  const summaries = active.filter(({ body }) => body.kind === 'compaction' || body.kind === 'restoration');
  return { messages: messages.length, summaries: summaries.length };
}
