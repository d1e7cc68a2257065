import type { Load } from '../../compaction/index.ts';
import {
  type Budget,
  type BuiltContext,
  buildContext,
  type ContextTool,
  type CountTokens,
  cutAnswers,
  type HeadPiece,
  type Recalled,
  withoutAnswers,
  withoutUnsendable,
} from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import {
  type Entry,
  type EntryId,
  isHidden,
  type LearntWindow,
  type Seq,
  type SessionInfo,
} from '../../record/index.ts';
import { readConversation } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { createCalibration } from '../../tokens/index.ts';
import type { TurnOptions } from '../turn-options.ts';
import { type Build, buildWithin } from './build-within.ts';
import { answerNotes } from './note-request.ts';

/** What a request is made with, beside the log. Plain data: it can be handed to another thread. */
export interface RequestPlan {
  /** `provider:model`. */
  readonly model: string;
  readonly frame: RequestFrame;
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
  /** Of a request that was sent: by how much its estimate was raised then. */
  readonly raised?: number;
  /** Where the price of the model is known: how the session goes is read too. */
  readonly paced?: boolean;
}

/** What a request is asked for with: its frame is made from the options of a turn, or taken from the notes of an answer. */
type RequestFor = Omit<RequestPlan, 'frame'> & { readonly countTokens?: CountTokens | undefined } & (
    | { readonly around: FrameOptions }
    | { readonly frame: RequestFrame }
  );

/** Builds a request in another thread; `undefined` where that is not worth it or not possible. */
export type Elsewhere = (info: SessionInfo, plan: RequestPlan) => Promise<Announced | undefined>;

/** The part of a request that is announced. */
export type Announced = Pick<ModelRequest, 'context' | 'load' | 'holds'>;

export interface ModelRequest {
  readonly context: BuiltContext;
  readonly load: Load;
  /** Of the request, by the local estimate. */
  readonly estimated: number;
  /** By how much the estimate was raised, because a tokenizer counted more: 1 if it was not. */
  readonly raised: number;
  /** How many messages of the log are in it, the question not counted, and how many summaries. */
  readonly holds: { readonly messages: number; readonly summaries: number };
  /** What it was made from. */
  readonly frontier: readonly Entry[];
  /** The log up to here. */
  readonly seq: Seq;
  readonly frame: RequestFrame;
  /** What of the recalled is in it. */
  readonly recalled: readonly Recalled[];
  readonly newest: readonly Entry[];
}

/** The request for a session as `info` knows it: every request that is sent, announced or shown again comes from here. */
export function requestFor(store: Store, info: SessionInfo, asked: RequestFor): Promise<ModelRequest>;
export function requestFor(
  store: Store,
  info: SessionInfo,
  asked: RequestFor & { readonly elsewhere?: Elsewhere | undefined },
): Promise<Announced>;
export async function requestFor(
  store: Store,
  info: SessionInfo,
  { elsewhere, ...asked }: RequestFor & { readonly elsewhere?: Elsewhere | undefined },
): Promise<Announced> {
  const { model, recalled, hidden, ahead, input, raised, paced, countTokens } = asked;
  const plan = {
    model,
    frame: 'frame' in asked ? asked.frame : frameOf(info, model, asked.around),
    recalled,
    hidden,
    ...(ahead && { ahead }),
    ...(input !== undefined && { input }),
    ...(raised !== undefined && { raised }),
    ...(paced && { paced }),
  };
  // A function cannot be handed to another thread.
  const built = countTokens ? undefined : await elsewhere?.(info, plan);
  return built ?? assembleRequest(store, info, plan, { countTokens });
}

/** Assembles a request from its plan. Called by `requestFor`, and by the thread that a plan was handed to. */
export async function assembleRequest(
  store: Store,
  info: SessionInfo,
  plan: RequestPlan,
  { countTokens }: { readonly countTokens?: CountTokens | undefined } = {},
): Promise<ModelRequest> {
  const { model, frame, recalled, hidden, ahead = [], input } = plan;
  const newest = await readNewest(store, info, ahead);
  const learnt = calibrate(newest, model, info.state.settings.windows);
  const conversation = await readConversation(store, info, ahead);
  const cut = hidden === 'cut' ? cutAnswers(conversation.frontier) : new Set(hidden);
  const { frontier, pinned } = withoutAnswers(conversation, cut);
  const refused = info.state.settings.unsendable ?? [];
  const sendable = (entries: readonly Entry[]) => withoutUnsendable(entries, refused, model);
  const seen = sendable(frontier);
  const state = {
    head: frame.head,
    tools: frame.tools,
    frontier: seen,
    pinned: sendable(pinned),
    marks: conversation.marks,
    recall: recalled,
    model,
  };
  const build: Build = (correct, digest) => ({
    context: buildContext(state, { ...frame.limits, correct }, { digest }),
    correct,
  });
  const within = { model, tools: frame.tools, learnt, countTokens, raised: plan.raised };
  const { context, correct, raised } = await buildWithin(build, within);
  const scale = correct(1_000_000) / 1_000_000;
  const active = seen.filter((entry) => !isHidden(conversation.marks, entry));
  const question = active.findLast(({ body }) => body.kind === 'message');
  const asked = question?.id === input ? question : undefined;
  const pace = plan.paced && { pace: (await import('./read-pace.ts')).readPace(newest, model) };
  return {
    context,
    load: { ...loadOf(context, active, { scale, asked }), ...pace },
    estimated: Math.round(context.tokens / scale),
    raised,
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
 * How full the context is before it was made to fit: what did not fit is what compaction is for. As long as everything fits,
 * the question and its recalled messages do not count. So the next question is sent with the context that resuming reported,
 * whenever there is room for both.
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
): ModelRequest['holds'] {
  const sent = new Set(entries);
  const messages = active.filter(({ id, body }) => body.kind === 'message' && id !== input && sent.has(id));
  const summaries = active.filter(({ body }) => body.kind === 'compaction' || body.kind === 'restoration');
  return { messages: messages.length, summaries: summaries.length };
}

const NEWEST = 24;

/** The newest messages of the log, with those `ahead` of it, newest first: a request goes by their notes. */
export async function readNewest(
  store: Store,
  { id, head }: Pick<SessionInfo, 'id' | 'head'>,
  ahead: readonly Entry[] = [],
): Promise<Entry[]> {
  const written = await store.read(id, {
    upTo: head,
    only: 'messages',
    order: 'newest-first',
    limit: NEWEST,
  });
  return [...ahead.toReversed(), ...written].slice(0, NEWEST);
}

/**
 * From the local estimate to the count of this model, learnt from its newest answers in this session, each of which has the
 * estimate of its request and the count that the provider reported, and from the newest request that was too long for it.
 */
export function calibrate(
  newest: readonly Entry[],
  model: string,
  refused: readonly LearntWindow[] = [],
): (tokens: number) => number {
  const calibration = createCalibration();
  const { estimated, counted, at = 0 } = refused.find((known) => known.model === model) ?? {};
  const isCounted = estimated !== undefined && counted !== undefined;
  if (isCounted) calibration.observe({ model, estimated, reported: counted });
  for (const entry of newest.toReversed()) {
    const { body, seq } = entry;
    if (body.kind !== 'message' || body.model !== model || !body.usage || (isCounted && seq <= at)) continue;
    const { estimated, counted: reported = body.usage.inputTokens } = answerNotes(entry);
    if (estimated !== undefined) calibration.observe({ model, estimated, reported });
  }
  return (tokens) => calibration.correct(model, tokens);
}

/** What stands around the conversation in a request: seldom another than last time, and nowhere else in the log. */
export interface RequestFrame {
  readonly head: readonly HeadPiece[];
  readonly tools: readonly ContextTool[];
  readonly limits: Omit<Budget, 'correct'>;
}

/** What every provider takes in one request; some take more. */
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_IMAGES = 80;

interface FrameOptions extends Pick<TurnOptions, 'agent' | 'head' | 'budget'>, Pick<OpenedModel, 'limits'> {
  readonly tools: readonly ContextTool[];
}

/** The head of every request of a session: the agent's instructions, the session's own system prompt, the project. */
export function requestHead(
  { state }: Pick<SessionInfo, 'state'>,
  { agent, head = [] }: Pick<TurnOptions, 'agent' | 'head'>,
): readonly HeadPiece[] {
  const { systemPrompt } = state.settings;
  const system = systemPrompt ? [{ part: 'system', text: systemPrompt }] : [];
  const instructions = agent?.instructions.trim() ? [{ part: 'agent', text: agent.instructions }] : [];
  return [...instructions, ...system, ...head];
}

/** The frame of the requests of a turn. */
function frameOf(
  { state }: Pick<SessionInfo, 'state'>,
  model: string,
  { limits, agent, head, budget = {}, tools }: FrameOptions,
): RequestFrame {
  const declared = budget.window ?? limits.window;
  const whole = Math.min(declared, learntWindow({ state }, model, declared)?.window ?? declared);
  return {
    head: requestHead({ state }, { ...(agent && { agent }), ...(head && { head }) }),
    tools,
    limits: {
      maxBytes: MOST_BYTES,
      maxImages: MOST_IMAGES,
      outputLimit: limits.output,
      ...budget,
      window: whole,
    },
  };
}

/** The window that was learnt for a model, if it was declared as it is now: another declaration is newer. */
export function learntWindow(
  { state }: Pick<SessionInfo, 'state'>,
  model: string,
  declared: number,
): LearntWindow | undefined {
  return state.settings.windows?.find((known) => known.model === model && known.declared === declared);
}
