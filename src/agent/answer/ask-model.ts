import type {
  LanguageModelUsage,
  ModelMessage,
  ProviderMetadata,
  SystemModelMessage,
  TextStreamPart,
  ToolSet,
} from 'ai';
import type { BuiltContext } from '../../context/index.ts';
import type { ThroughlineError } from '../../errors.ts';
import { explainModelError, type OpenedModel, readUsage } from '../../models/index.ts';
import type { Part, Usage } from '../../record/index.ts';
import { isNativeSummary } from '../../text/index.ts';
import { keepsAtMarks } from '../../tokens/index.ts';
import type { ModelRequest } from '../request/build-request.ts';
import type { TurnEvent } from '../turn-event.ts';
import type { TurnOptions } from '../turn-options.ts';
import { Stopped, stoppableTurn } from '../turn-queue.ts';
import { headersFor, type MarkedCall, markCache } from './anthropic.ts';
import { type NativeUse, type SplitUsage, splitUsage } from './anthropic-usage.ts';
import {
  type Collector,
  createCollector,
  isSummaryAlone,
  type PartDelta,
  saidParts,
} from './collect-answer.ts';

/** What came of one model call. Whatever happens, the answer so far is in `parts`. */
export interface TurnAnswer {
  readonly ended: 'complete' | 'stopped' | 'failed';
  readonly parts: readonly Part[];
  /** Absent if the call was not reported on, because it was stopped or broke off. */
  readonly usage?: Usage;
  readonly finishReason: string;
  /** What the provider did besides answering. */
  readonly native: NativeUse;
  readonly durationMs: number;
  readonly invalid: Readonly<Record<string, string>>;
  readonly sources: readonly unknown[];
  readonly error?: ThroughlineError;
}

interface AskOptions extends Pick<TurnOptions, 'providerOptions' | 'temperature'> {
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly emit: (event: TurnEvent) => void;
  readonly onDelta: (delta: PartDelta) => void;
  /** No tool may be called, though they are offered. */
  readonly toolChoice?: 'none';
}

/** One call, streamed: a single step of the AI SDK without retries, since both are decided here. Never throws. */
export async function askModel(
  model: OpenedModel,
  request: Pick<ModelRequest, 'context'>,
  options: AskOptions,
): Promise<TurnAnswer> {
  const collector = createCollector();
  const clock = createClock(options.timeoutMs);
  const start = performance.now();
  const end = (ended: TurnAnswer['ended'], fields: Partial<TurnAnswer> = {}): TurnAnswer => ({
    ended,
    parts: saidParts(collector.parts),
    finishReason: 'unknown',
    native: {},
    durationMs: Math.round(performance.now() - start),
    invalid: collector.invalid,
    sources: collector.sources,
    ...fields,
  });
  // A model may ignore that its time is over; then nothing tells but the clock.
  const explain = (failure: unknown) =>
    clock.signal.aborted
      ? explainModelError(clock.signal.reason, model, options)
      : explainModelError(failure, model);
  try {
    const read = await readAnswer(model, request, { ...options, collector, clock });
    const total = read.usage && usageOf(read.usage, model);
    const split = read.metadata?.anthropic
      ? splitUsage(total, read.metadata, model.price)
      : { native: {}, usage: total };
    const { native, usage } = isSummaryAlone(collector.parts) ? paidBySummary(split) : split;
    const fields = { ...(usage && { usage }), native, finishReason: read.finishReason };
    if (options.signal.aborted) return end('stopped', fields);
    if (read.failure === undefined) return end('complete', fields);
    return end('failed', { ...fields, error: explain(read.failure) });
  } catch (error) {
    if (options.signal.aborted) return end('stopped');
    return end('failed', { error: explain(error) });
  } finally {
    clock.stop();
  }
}

/** Not every provider says what it used for the summary: a call with nothing else was for that. */
function paidBySummary({ usage, native }: SplitUsage): SplitUsage {
  if (native.summary || !usage) return { usage, native };
  return { native: { ...native, summary: usage, counted: 0 } };
}

interface Read {
  readonly usage: LanguageModelUsage | undefined;
  readonly finishReason: string;
  readonly metadata: ProviderMetadata | undefined;
  readonly failure: unknown;
}

async function readAnswer(
  model: OpenedModel,
  { context }: Pick<ModelRequest, 'context'>,
  {
    tools,
    signal,
    emit,
    onDelta,
    collector,
    clock,
    providerOptions,
    temperature,
    toolChoice,
  }: AskOptions & { collector: Collector; clock: Clock },
): Promise<Read> {
  const { streamText } = await import('ai');
  const abortSignal = AbortSignal.any([signal, clock.signal]);
  const { instructions, messages } = context;
  const call: MarkedCall = {
    ...(instructions !== '' && { instructions }),
    messages: messages as ModelMessage[],
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  const { stream } = streamText({
    model: model.languageModel,
    ...(isAnthropic(model)
      ? { ...markCache(call, context, providerOptions), headers: headersFor(context) }
      : model.provider === 'openai' && keepsAtMarks(model.model)
        ? markBreakpoints(call, context)
        : call),
    maxOutputTokens: context.maxOutput,
    maxRetries: 0,
    abortSignal,
    onError() {},
    ...(toolChoice && call.tools && { toolChoice }),
    ...(providerOptions && { providerOptions }),
    ...(temperature !== undefined && { temperature }),
  });
  let usage: LanguageModelUsage | undefined;
  let finishReason = 'unknown';
  let metadata: ProviderMetadata | undefined;
  let failure: unknown;
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<TextStreamPart<ToolSet>>;
  for (;;) {
    const { done, value: part } = await stoppableTurn(parts.next(), abortSignal);
    if (done) break;
    clock.restart();
    const deltas = collector.take(part);
    for (const delta of deltas) onDelta(delta);
    const isSaid = deltas.some(({ at }) => !isNativeSummary(collector.parts[at]!));
    if (isSaid && (part.type === 'text-delta' || part.type === 'reasoning-delta'))
      emit({ type: part.type, text: part.text });
    if (part.type === 'finish-step') ({ usage, finishReason, providerMetadata: metadata } = part);
    if (part.type === 'error') failure ??= part.error;
    if (part.type === 'abort') throw new Stopped();
  }
  return { usage, finishReason, metadata, failure };
}

/** Other hosts of the same models call themselves `vertex.anthropic.messages`. */
function isAnthropic({ provider, languageModel }: Pick<OpenedModel, 'provider' | 'languageModel'>): boolean {
  return provider === 'anthropic' || /\banthropic\b/.test(languageModel.provider);
}

/** Servers that report nothing report zeros; that is not the same as a call that cost nothing. */
function usageOf(reported: LanguageModelUsage, { price }: OpenedModel): Usage | undefined {
  const usage = readUsage(reported, price);
  return usage.inputTokens + usage.outputTokens > 0 ? usage : undefined;
}

interface Clock {
  readonly signal: AbortSignal;
  restart(): void;
  stop(): void;
}

/** Runs out when nothing has come for so long. */
function createClock(timeoutMs: number): Clock {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException('Out of time.', 'TimeoutError'));
  let timer = setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(expire, timeoutMs);
    },
    stop: () => clearTimeout(timer),
  };
}

// What OpenAI alone wants said with a call.

const MARK = { openai: { promptCacheBreakpoint: { mode: 'explicit' } } } as const;

/**
 * The call with marks for models that keep what was read up to marked places alone, and up to the end of the newest message.
 * What was recalled stands before the newest question and changes with it, so the end of one request is in no later one. Marks that
 * earlier requests set are repeated: what is kept is found there again, and only the newest three are written. An assistant's
 * message takes none.
 */
function markBreakpoints(call: MarkedCall, { seams }: Pick<BuiltContext, 'seams'>): MarkedCall {
  const { messages, instructions } = call;
  const ends = breakpointsIn(messages, seams);
  return {
    ...call,
    ...(typeof instructions === 'string' && { instructions: systemOf(instructions) }),
    messages: messages.map((message, at) => (ends.has(at) ? marked(message) : message)),
  };
}

/** Which messages are marked at their end. */
export function breakpointsIn(
  messages: readonly { readonly role: string }[],
  { records, turn, end = messages.length }: BuiltContext['seams'],
): ReadonlySet<number> {
  const asked = (before: number) => messages.findLastIndex(({ role }, at) => at < before && role === 'user');
  const answered = messages.findLastIndex(({ role }, at) => at < end && role === 'assistant');
  return new Set([records, asked(turn), turn, answered, end].map((before) => takesMark(messages, before)));
}

/** The newest message before one that takes a mark; -1 for none. */
function takesMark(messages: readonly { readonly role: string }[], before: number): number {
  return messages.findLastIndex(({ role }, at) => at < before && (role === 'user' || role === 'tool'));
}

function systemOf(content: string): SystemModelMessage {
  return { role: 'system', content, providerOptions: MARK };
}

function marked(message: ModelMessage): ModelMessage {
  const { content } = message;
  if (typeof content === 'string' || content.length === 0) return message;
  const parts = [...content] as { providerOptions?: { openai?: object } }[];
  const { providerOptions, ...last } = parts.pop()!;
  const openai = { ...providerOptions?.openai, ...MARK.openai };
  return {
    ...message,
    content: [...parts, { ...last, providerOptions: { ...providerOptions, openai } }],
  } as ModelMessage;
}
