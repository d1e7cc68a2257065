import type { LanguageModelUsage } from 'ai';
import type { Usage } from '../record/index.ts';
import {
  costOf,
  type DeclaredLimits,
  type ModelLimits,
  type ModelPrice,
  modelLimits,
  priceOf,
} from '../tokens/index.ts';
import { baseUrlOf } from './base-url.ts';
import { connect, guardFetch, type ModelConnection } from './connect.ts';
import { type Environment, findKey, firstSet } from './find-key.ts';
import type { LanguageModelV4 } from './language-model.ts';
import { parseReference, referenceText } from './model-reference.ts';
import { firstModel, pickModel } from './pick-model.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';

export interface OpenModelOptions {
  /** Keys, addresses and the choice itself are read from here and from nowhere else; by default `process.env`. */
  readonly env?: Environment;
  readonly fetch?: typeof globalThis.fetch;
  /** Beats the address in the environment and in the reference. */
  readonly baseUrl?: string;
  /** Limits that beat the catalogue, by the names of models. */
  readonly limits?: Overrides;
}

export interface OpenedModel extends ModelFacts {
  /** `provider:model`; given to `openModel` again, it opens the same one. */
  readonly id: string;
  readonly provider: ProviderName;
  readonly model: string;
  /** For `generateText` and `streamText` of the AI SDK. */
  readonly languageModel: LanguageModelV4;
  /** The variable of the environment that picked it, when no reference did. */
  readonly pickedBy?: string;
}

/**
 * Opens a model by `provider:model`, by its provider, or by a name that says whose it is; without a reference, the one
 * that the environment asks for, and the offline one if it asks for none. No model is called, and only a server that
 * is named without a model is asked which it has.
 */
export async function openModel(reference?: string, options: OpenModelOptions = {}): Promise<OpenedModel> {
  const { env = process.env, fetch = globalThis.fetch, baseUrl: given, limits } = options;
  const picked = reference === undefined ? pickModel(env) : { reference: parseReference(reference) };
  const { provider, baseUrl: typed } = picked.reference;
  const { defaultModel }: Provider = PROVIDERS[provider];

  const server = provider === 'offline' ? OFFLINE : reach(provider, { env, fetch, baseUrl: given ?? typed });
  const model = picked.reference.model ?? defaultModel ?? (await firstModel(server));
  return {
    id: referenceText({ ...picked.reference, model }),
    provider,
    model,
    languageModel: await connectOnce({ ...server, model }, { fetch }),
    ...(picked.pickedBy !== undefined && { pickedBy: picked.pickedBy }),
    ...modelFacts({ provider, model }, { env, overrides: limits }),
  };
}

/** Where a provider is, and what it takes to be let in. */
export type Server = Omit<ModelConnection, 'model'>;

const OFFLINE: Server = { provider: 'offline', baseUrl: '', key: undefined, fetch };

export function reach(
  provider: ProviderName,
  { env, fetch, baseUrl }: { env: Environment; fetch: typeof globalThis.fetch; baseUrl: string | undefined },
): Server {
  const url = baseUrlOf(provider, env, baseUrl);
  const key = findKey(provider, env, url);
  return { provider, baseUrl: url, key, fetch: guardFetch(fetch, key) };
}

/** By their fetch function, then by everything else that makes two of them the same. */
const made = new WeakMap<typeof globalThis.fetch, Map<string, Promise<LanguageModelV4>>>();
const MOST = 100;

/**
 * Models keep nothing between calls, and each is a quarter of a megabyte of schemas. So one serves every turn that asks for
 * it: a server that answers in 500 sessions at once would otherwise hold 500.
 */
function connectOnce(
  connection: ModelConnection,
  { fetch }: { fetch: typeof globalThis.fetch },
): Promise<LanguageModelV4> {
  const { provider, model, baseUrl, key } = connection;
  const models = made.get(fetch) ?? new Map<string, Promise<LanguageModelV4>>();
  made.set(fetch, models);
  const name = JSON.stringify([provider, model, baseUrl, key]);
  const known = models.get(name);
  if (known) return known;
  if (models.size >= MOST) models.clear();
  const connected = connect(connection);
  models.set(name, connected);
  // A package that could not be loaded may be there the next time.
  connected.catch(() => models.delete(name));
  return connected;
}

/** The user's own limits, by any name that finds the model. */
type Overrides = Readonly<Record<string, DeclaredLimits>>;

interface ModelFacts {
  readonly limits: ModelLimits;
  /** Absent where the model is free, and where the price is unknown. */
  readonly price?: ModelPrice;
}

const OFFLINE_FACTS: ModelFacts = { limits: { window: 200_000, output: 4_096, source: 'default' } };
const USUAL_OLLAMA_WINDOW = 32_768;

/** How much a model reads and writes, and what it costs at this provider. */
export function modelFacts(
  { provider, model }: { readonly provider: ProviderName; readonly model: string },
  { env, overrides = {} }: { env: Environment; overrides?: Overrides | undefined },
): ModelFacts {
  if (provider === 'offline') return OFFLINE_FACTS;
  const id = `${provider}:${model}`;
  const limits = modelLimits(id, { overrides });
  const price = priceOf(id, { overrides });
  const isOllama = provider === 'ollama';
  return { limits: isOllama ? ollamaLimits(limits, model, env) : limits, ...(price && { price }) };
}

/**
 * Ollama runs a model with a smaller window than it could have, and cuts longer requests without a word. So the variable that
 * sets the server's window counts here too, and without it a model is not trusted with all it could do.
 */
function ollamaLimits(limits: ModelLimits, model: string, env: Environment): ModelLimits {
  if (limits.source === 'declared') return limits;
  const set = Number(firstSet(env, ['OLLAMA_CONTEXT_LENGTH'])?.value);
  if (set > 0) return { window: set, output: Math.min(limits.output, set), source: 'declared' };
  if (model.endsWith('cloud') || limits.window <= USUAL_OLLAMA_WINDOW) return limits;
  return {
    window: USUAL_OLLAMA_WINDOW,
    output: Math.min(limits.output, USUAL_OLLAMA_WINDOW),
    source: 'default',
  };
}

/** Ends of an answer that are not its own: the limit of its length, and a filter. */
export function isCutShort({ finishReason }: { readonly finishReason: string }): boolean {
  return finishReason === 'length' || finishReason === 'content-filter';
}

/**
 * What one call used, from what the AI SDK tells of that call. Give it the usage of a step: the one of a result with
 * many steps is their sum already. With a price, it says what the call cost.
 */
export function readUsage(usage: LanguageModelUsage, price?: ModelPrice): Usage {
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails } = usage;
  const reasoning = told(outputTokenDetails?.reasoningTokens);
  const cacheRead = told(inputTokenDetails?.cacheReadTokens);
  const cacheWrite = told(inputTokenDetails?.cacheWriteTokens);
  const counts: Usage = {
    inputTokens: told(inputTokens) ?? 0,
    outputTokens: told(outputTokens) ?? 0,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
  };
  return price ? { ...counts, cost: costOf(counts, price) } : counts;
}

/** Servers of all kinds fill these in; values that are no count are left out. */
function told(count: number | null | undefined): number | undefined {
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}
