import type { Load } from '../../compaction/index.ts';
import { digestEntries } from '../../compaction/index.ts';
import {
  type Budget,
  type BuiltContext,
  buildContext,
  type HeadPiece,
  type Recalled,
  readUnsendable,
  withoutAnswers,
  withoutUnsendable,
} from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { Entry, EntryId, Seq } from '../../record/index.ts';
import { readConversation, type Session } from '../../session/index.ts';
import type { OfferedTools } from '../tools/offer-tools.ts';
import type { TurnOptions } from '../turn-options.ts';
import type { Frame } from './frame.ts';

/** What every provider takes in one request; some take more. */
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_IMAGES = 80;

export interface RequestState {
  readonly session: Session;
  readonly model: OpenedModel;
  readonly head: readonly HeadPiece[];
  readonly offered: OfferedTools;
  readonly recalled: readonly Recalled[];
  /** From the local estimate to what the provider will count. */
  readonly correct: (tokens: number) => number;
  /** The newest messages, newest first. */
  readonly newest: readonly Entry[];
  /** The window that the provider turned out to have, if that is less. */
  readonly window: number | undefined;
  readonly budget: TurnOptions['budget'];
  /** The beginning of an answer to the question that is asked again: the model starts over. */
  readonly hidden: ReadonlySet<EntryId>;
}

export interface Request {
  readonly context: BuiltContext;
  readonly load: Load;
  /** Of the request, by the local estimate. */
  readonly estimated: number;
  /** What it was made from. */
  readonly frontier: readonly Entry[];
  /** The log up to here. */
  readonly seq: Seq;
  readonly frame: Frame;
  /** What of the recalled is in it. */
  readonly recalled: readonly Recalled[];
  readonly newest: readonly Entry[];
}

/** What is sent next, of the session as its handle knows it. */
export async function buildRequest(state: RequestState): Promise<Request> {
  const { session, model, head, offered, recalled, correct, hidden, newest } = state;
  const { info } = session;
  const conversation = await readConversation(session.store, info);
  const { frontier, pinned } = withoutAnswers(conversation, hidden);
  const refused = readUnsendable(info.state);
  const sendable = (entries: readonly Entry[]) => withoutUnsendable(entries, refused, model.id);
  const seen = sendable(frontier);
  const limits = limitsOf(state);
  const context = buildContext(
    {
      head,
      tools: offered.listed,
      frontier: seen,
      pinned: sendable(pinned),
      marks: conversation.marks,
      recall: recalled,
      model: model.id,
    },
    { ...limits, correct },
    { digest: (entries, maxTokens) => digestEntries(entries, { maxTokens }) },
  );
  const factor = correct(1_000_000) / 1_000_000;
  return {
    context,
    load: loadOf(context, seen, correct),
    estimated: Math.round(context.tokens / factor),
    frontier: conversation.frontier,
    seq: info.head,
    frame: { head, tools: offered.listed, limits },
    newest,
    recalled: recalled.filter(({ entry }) => context.recalled.some((shown) => shown.entry === entry)),
  };
}

function limitsOf({ model, budget = {}, window }: RequestState): Omit<Budget, 'correct'> {
  const declared = budget.window ?? model.limits.window;
  const whole = window === undefined ? declared : Math.min(declared, window);
  return {
    maxBytes: MOST_BYTES,
    maxImages: MOST_IMAGES,
    outputLimit: model.limits.output,
    ...budget,
    window: whole,
  };
}

/** How full the context is before it was made to fit: what did not fit is what compaction is for. */
function loadOf(context: BuiltContext, seen: readonly Entry[], correct: (tokens: number) => number): Load {
  const said = correct(seen.reduce((sum, { tokens }) => sum + tokens, 0));
  const fixed = context.parts
    .filter(({ part }) => !['messages', 'summary', 'recall', 'reserve', 'free'].includes(part))
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    tokens: context.steps.length === 0 ? context.tokens : Math.max(context.tokens, fixed + said),
    room: context.window - context.reserve,
    messages: seen.length,
    lines: seen.length,
  };
}
