import type { LanguageModel } from 'ai';
import { isThroughlineError } from '../errors.ts';
import { describeModel, type OpenedModel, type OpenModelOptions, openModel } from '../models/index.ts';
import type { Summary, SummaryCall } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { extractLedger } from '../text/index.ts';
import { countText } from '../tokens/index.ts';
import { type AskInChat, summariseInChat } from './chat-summary.ts';
import { fitSummary, WORDS } from './fit-summary.ts';
import { type AnswerLimits, createPieceWriter, isAboutAccount } from './summarise-in-pieces.ts';
import type { SummariseRequest, Summariser } from './summariser.ts';
import { CHAT_PROMPT_VERSION, PROMPT_VERSION, preamble } from './summary-prompt.ts';

/** An answer that is cut off is of no use, but in a small window it must leave room for what it is about. */
const ANSWER = { tokens: 1_024, share: 1 / 6 } as const;
const TIMEOUT_MS = 120_000;

interface ModelSummariserOptions extends OpenModelOptions {
  /** So long may one answer take. Two minutes unless given. */
  readonly timeoutMs?: number;
  /** Tokens as the model counts them, for one as they are counted here, where a request does not say. */
  readonly scale?: number;
  /** Asks in the chat itself, where that is cheaper. */
  readonly inChat?: AskInChat;
}

/**
 * A model as a summariser. The range goes to it in pieces that fit its own window, as data; structured output first,
 * and the marked markdown block from models that cannot. Files and the ledger come from rules, not from the model.
 *
 * A model of any kind: one that was opened, one of the AI SDK, or `provider:model`, which is opened when it is asked.
 */
export function createModelSummariser(
  given: OpenedModel | LanguageModel,
  { timeoutMs = TIMEOUT_MS, scale = 1, inChat, ...options }: ModelSummariserOptions = {},
): Summariser {
  const limits = { timeoutMs, scale, ...(inChat && { inChat }) };
  if (typeof given !== 'string')
    return summariserOf('languageModel' in given ? given : describeModel(given), limits);
  let opening: Promise<Summariser> | undefined;
  const open = () => {
    opening ??= openModel(given, options).then((model) => summariserOf(model, limits));
    // A key may be there the next time.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    name: given,
    timeoutMs,
    summarise: async (request, how) => (await open()).summarise(request, how),
  };
}

function summariserOf(
  model: OpenedModel,
  { timeoutMs, scale, inChat }: { timeoutMs: number; scale: number; inChat?: AskInChat },
): Summariser {
  const writePieces = createPieceWriter(model);
  const writeInChat = inChat && inChatOnce(inChat);
  return {
    name: model.id,
    timeoutMs,
    async summarise(given, options) {
      const { window } = model.limits;
      const least = Math.min(ANSWER.tokens, Math.floor(window * ANSWER.share));
      const output = Math.min(model.limits.output, Math.max(least, given.maxTokens * 3));
      const request = withShortPreamble(given, Math.floor(window / 8));
      const found = extractLedger(request.entries);
      // As much as it may keep: the summary of an obedient model is not thinned out afterwards.
      const share = found.files.length + found.ledger.length > 0 ? WORDS : 1;
      const words = Math.floor(request.maxTokens * share);
      const how = { ...options, output, timeoutMs };
      const told = await writeInChat?.(given, { ...request, maxTokens: words }, how);
      const version = told?.summary ? CHAT_PROMPT_VERSION : PROMPT_VERSION;
      const scaled = { request, words, scale: request.scale ?? scale };
      const written = told?.summary ?? (await writePieces(given, scaled, how));
      return {
        summary: fitSummary({ ...written, ...found }, given.maxTokens),
        writtenTokens: countText(renderSummary(written)),
        by: { kind: 'model', model: model.id, version },
        ...(told && { call: told.call }),
      };
    },
  };
}

/** Asks in the chat, and not again for a request that came to nothing there. */
function inChatOnce(inChat: AskInChat) {
  const failed = new WeakMap<SummariseRequest, SummaryCall>();
  return async (
    given: SummariseRequest,
    request: SummariseRequest,
    how: AnswerLimits,
  ): Promise<{ readonly summary?: Summary; readonly call: SummaryCall }> => {
    const known = failed.get(given);
    if (known) return { call: known };
    try {
      return await summariseInChat(inChat, request, how);
    } catch (error) {
      const call = failureOf(error);
      if (!call) throw error;
      failed.set(given, call);
      return { call };
    }
  };
}

/** What another request may do better; `undefined` for what it would end in too. */
function failureOf(error: unknown): SummaryCall | undefined {
  if (!isThroughlineError(error)) return undefined;
  if (error.code === 'summary-rejected') return { as: 'own', because: 'unusable' };
  if (error.code === 'context-overflow') return { as: 'own', because: 'no-room' };
  const isRefused = error.code === 'model-refused' && !isAboutAccount(error);
  return isRefused ? { as: 'own', because: 'refused' } : undefined;
}

/** Instructions and earlier conversation must leave room for the transcript. */
function withShortPreamble(given: SummariseRequest, maxTokens: number): SummariseRequest {
  const { before, foreign, ...rest } = given;
  const request = countText(preamble({ ...given, instructions: '' })) > maxTokens ? rest : given;
  let { instructions } = request;
  if (instructions === undefined) return request;
  while (countText(instructions) > maxTokens)
    instructions = `${instructions.slice(0, Math.floor(instructions.length * 0.8)).toWellFormed()} …`;
  return { ...request, instructions };
}
