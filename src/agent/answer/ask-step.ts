import { setTimeout as sleep } from 'node:timers/promises';
import { isThroughlineError, type ThroughlineError } from '../../errors.ts';
import { isCutShort } from '../../models/index.ts';
import {
  type Compaction,
  type Entry,
  type EntryId,
  type Message,
  newEntryId,
  settingEntry,
} from '../../record/index.ts';
import { endNote, interruptedAnswer, turnFailureOf } from '../close-turn.ts';
import type { ModelRequest } from '../request/build-request.ts';
import { findCacheBreak } from '../request/find-cache-break.ts';
import { findRefused } from '../request/find-refused.ts';
import { learnWindow } from '../request/learn-window.ts';
import { type CacheBreak, noteRequest, type Sent } from '../request/note-request.ts';
import { withoutDemand } from '../request/provider-options.ts';
import type { Turn } from '../turn.ts';
import type { RetryChoice } from '../turn-options.ts';
import { askModel, type TurnAnswer } from './ask-model.ts';
import { callsTools, createFlusher, isSummaryAlone, saysAnything, splitAnswer } from './collect-answer.ts';
import { nativeCompaction } from './native-compaction.ts';

const PATIENCE_MS = 300_000;

/** More often than a provider summarises one request. */
const MOST_PAUSES = 3;

interface Step {
  readonly entries: readonly Entry[];
  /** Whether there is a whole answer. */
  readonly answered: boolean;
  /** The provider ended the answer before it was whole; otherwise a person or the end of the process stopped it. */
  readonly cutByProvider?: boolean;
}

/**
 * Asks the model until it has answered, and appends the answer once. A provider that is busy or fails is asked again, an
 * overflow is made to fit once, and a part that is refused is left out once. Anything else is thrown, after what there is
 * of the answer was written down.
 */
export async function askStep(turn: Turn, step: number): Promise<Step> {
  const { session, signal, emit, model, options } = turn;
  let overflowed = false;
  let mended = false;
  let paused = 0;
  for (let attempt = 1; ; ) {
    const request = await requestWithRoom(turn);
    if (signal.aborted) return { entries: [], answered: false };
    const cacheBreak =
      model.provider === 'offline'
        ? undefined
        : await findCacheBreak(session.store, session.info, { request, model });
    tellOf(request, { turn, step, cacheBreak });
    const asked = { ...request, cacheBreak, providerOptions: options.providerOptions };
    const id = newEntryId();
    const answer = await askOnce(turn, request, { id, onDemand: paused === 0 });
    const made = compactionIn(answer, asked, turn);
    if (answer.ended === 'complete' && isSummaryAlone(answer.parts) && ++paused <= MOST_PAUSES) {
      // The provider only made room, or waits for what it should keep: the question has no answer yet.
      if (made) await session.append([made]);
      continue;
    }
    if (answer.ended === 'complete' && isCut(answer, step)) {
      const kept = await keep(answer, asked, { id, turn });
      return { entries: kept, answered: false, cutByProvider: true };
    }
    if (answer.ended === 'complete') {
      const said = { id, body: answerBody(answer, asked, turn) };
      const entries = await session.append(made ? [made, said] : [said]);
      emit({ type: 'answer-end', entry: entries.at(-1)!, finishReason: answer.finishReason });
      return { entries: entries.slice(-1), answered: true };
    }
    const kept = saysAnything(splitAnswer(answer.parts).parts) ? await keep(answer, asked, { id, turn }) : [];
    if (answer.ended === 'stopped') return { entries: kept, answered: false };
    const error = answer.error!;
    if (kept.length > 0) throw error;
    if (isThroughlineError(error, 'context-overflow') && !overflowed) {
      overflowed = true;
      const declared = options.budget?.window ?? model.limits.window;
      await learnWindow(session, error, { model: model.id, request, declared });
      continue;
    }
    if (!mended && (await leaveOutRefused(error, request, turn))) {
      mended = true;
      continue;
    }
    const waitMs = retryWait(error, { attempt, retry: options.retry });
    if (waitMs === undefined) throw error;
    const { code, message: reason } = error;
    emit({ type: 'retry-start', code, reason, attempt, of: retriesOf(options.retry), waitMs });
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return { entries: [], answered: false };
    attempt++;
  }
}

/**
 * The provider says that it cut the answer, or gave none at all. Calls in it are run, and the model is asked again anyway;
 * behind tools, models end with no words.
 */
function isCut(answer: TurnAnswer, step: number): boolean {
  const { parts } = splitAnswer(answer.parts);
  if (callsTools(parts)) return false;
  return isCutShort(answer) || (step === 1 && !saysAnything(parts));
}

/** The request, after the context was shortened if it had to be. */
async function requestWithRoom({ room, request }: Turn): Promise<ModelRequest> {
  await room.before();
  return request();
}

async function askOnce(
  turn: Turn,
  request: ModelRequest,
  { id, onDemand }: { id: EntryId; onDemand: boolean },
): Promise<TurnAnswer> {
  const { session, model, offered, signal, emit, options } = turn;
  const lost = new AbortController();
  let cause: unknown;
  const flusher = createFlusher(session, {
    answer: id,
    model: model.id,
    onLost(error) {
      cause = error;
      lost.abort();
    },
  });
  const { temperature, timeoutMs = PATIENCE_MS } = options;
  const providerOptions = onDemand ? options.providerOptions : withoutDemand(options.providerOptions);
  const answer = await askModel(model, request, {
    tools: await offered.set(),
    signal: AbortSignal.any([signal, lost.signal]),
    timeoutMs,
    emit,
    onDelta: flusher.add,
    ...(providerOptions && { providerOptions }),
    ...(temperature !== undefined && { temperature }),
  });
  await flusher.stop();
  if (lost.signal.aborted) throw cause;
  return answer;
}

/** Writes down what there is of an answer that did not come to its end. */
async function keep(
  answer: TurnAnswer,
  request: Sent,
  { id, turn }: { id: EntryId; turn: Turn },
): Promise<Entry[]> {
  const { session, model, emit, input } = turn;
  const { ended, usage, durationMs, finishReason, error } = answer;
  const { parts } = splitAnswer(answer.parts);
  const { run, held } = noteRequest(request, usage);
  const made = compactionIn(answer, request, turn);
  const cut = interruptedAnswer({
    id,
    parts,
    by: ended === 'stopped' ? turn.by() : 'provider',
    model: model.id,
    durationMs,
    ...(usage && { usage }),
    notes: { run: { ...run, ...(ended === 'complete' && { finishReason }) }, held },
  });
  // In the same append: a kill behind it leaves the part of the answer and the reason, or neither.
  const failure = error && endNote(input.id, { status: 'failed', error: turnFailureOf(error) });
  const entries = await session.append([...(made ? [made] : []), ...cut, ...(failure ? [failure] : [])]);
  const own = made ? entries.slice(1) : entries;
  emit({ type: 'answer-end', entry: own[0]!, finishReason });
  return own;
}

function answerBody(answer: TurnAnswer, request: Sent, { model }: Turn): Message {
  const { run, held } = noteRequest(request, answer.usage);
  const { usage, durationMs, finishReason, invalid, sources, native } = answer;
  const { parts } = splitAnswer(answer.parts);
  return {
    kind: 'message',
    role: 'assistant',
    parts,
    model: model.id,
    ...(usage && { usage }),
    durationMs,
    meta: {
      run: {
        ...run,
        finishReason,
        ...(native.counted !== undefined && { counted: native.counted }),
        ...(native.keptMs !== undefined && { keptMs: native.keptMs }),
        ...(Object.keys(invalid).length > 0 && { invalid }),
        ...(sources.length > 0 && { sources }),
      },
      ...held,
    },
  };
}

/** The compaction that the provider made of the request, once it is whole: something was said behind it, or the call ended. */
function compactionIn(
  { parts, ended, native }: TurnAnswer,
  request: ModelRequest,
  { session, model }: Turn,
): Compaction | undefined {
  const { block } = splitAnswer(parts);
  if (!block || (ended !== 'complete' && parts.at(-1) === block)) return undefined;
  return nativeCompaction(session.info, request, { block, model: model.id, usage: native.summary });
}

/** Notes what the provider refused, so that it is not sent to this model again. True if there was anything to note. */
async function leaveOutRefused(
  error: ThroughlineError,
  { frontier }: ModelRequest,
  turn: Turn,
): Promise<boolean> {
  if (!isThroughlineError(error, 'model-refused')) return false;
  const { session, model, emit } = turn;
  const { toolless = [], unsendable = [] } = session.info.state.settings;
  if (/\btools?\b|\bfunction.?call/i.test(error.message) && (await turn.leaveOutTools())) {
    await session.append([settingEntry('toolless', [...toolless, model.id], { by: 'auto' })]);
    emit({ type: 'request-mend', about: 'the tools that it can do without', reason: error.message });
    return true;
  }
  const found = findRefused(frontier, error.details, model.id);
  if (found.length === 0) return false;
  await session.append([settingEntry('unsendable', [...unsendable, ...found], { by: 'auto' })]);
  emit({ type: 'request-mend', about: found[0]!.about, reason: error.message });
  return true;
}

function tellOf(
  { context }: ModelRequest,
  { turn, step, cacheBreak }: { turn: Turn; step: number; cacheBreak: CacheBreak | undefined },
): void {
  const { model, emit } = turn;
  const { tokens, window, reserve, parts, leftOut, steps } = context;
  if (cacheBreak) emit({ type: 'prefix-change', ...cacheBreak, tokens });
  emit({ type: 'request-start', step, model: model.id, tokens, window, reserve, parts, leftOut, steps });
}

const DEFAULTS = { times: 3, firstMs: 1_000, mostMs: 60_000 };

/**
 * How long to wait before a call is tried again, or `undefined` if that is no use: the provider has to be busy or to have
 * failed, and the requested wait must not be longer than a person would wait.
 */
function retryWait(
  error: ThroughlineError,
  { attempt, retry = {} }: { attempt: number; retry?: RetryChoice | undefined },
): number | undefined {
  const { times, firstMs, mostMs } = { ...DEFAULTS, ...retry };
  const helps = isThroughlineError(error, 'model-busy') || isThroughlineError(error, 'model-failed');
  if (!helps || attempt > times) return undefined;
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds === 'number') {
    const asked = retryAfterSeconds * 1000;
    return asked <= mostMs ? asked : undefined;
  }
  // Not all at the same moment: those who were turned away together would come back together.
  const spread = 0.75 + Math.random() / 2;
  return Math.min(mostMs, firstMs * 2 ** (attempt - 1) * spread);
}

function retriesOf(retry: RetryChoice | undefined): number {
  return retry?.times ?? DEFAULTS.times;
}
