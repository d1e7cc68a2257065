import type { EmbeddingModel } from 'ai';
import { ThroughlineError } from '../errors.ts';
import { parseReference, referenceText } from './model-reference.ts';
import { type OpenModelOptions, reach, type Server } from './open-model.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';

/** A model that turns texts into vectors, as the AI SDK of today calls it. */
type EmbeddingModelV4 = Extract<EmbeddingModel, { readonly specificationVersion: 'v4' }>;

export interface OpenedEmbedding {
  /** `provider:model`; given to `openEmbedding` again, it opens the same one. */
  readonly id: string;
  readonly provider: ProviderName;
  readonly model: string;
  /** For `embedMany` of the AI SDK. */
  readonly embeddingModel: EmbeddingModelV4;
}

/** What people get who name a provider only. */
const DEFAULTS: Partial<Record<ProviderName, string>> = {
  openai: 'text-embedding-3-small',
  google: 'gemini-embedding-001',
};

/** Opens an embedding model by `provider:model`. No request is sent. */
export async function openEmbedding(
  reference: string,
  { env = process.env, fetch = globalThis.fetch, baseUrl }: Omit<OpenModelOptions, 'limits'> = {},
): Promise<OpenedEmbedding> {
  const parsed = parseReference(reference);
  const { provider } = parsed;
  if (provider === 'anthropic' || provider === 'offline') throw noEmbeddings(reference, provider);
  const model = parsed.model ?? DEFAULTS[provider];
  if (model === undefined) throw nameMissing(reference, provider);
  const server = reach(provider, { env, fetch, baseUrl: baseUrl ?? parsed.baseUrl });
  return {
    id: referenceText({ ...parsed, model }),
    provider,
    model,
    embeddingModel: quiet(await connectEmbedding(provider, model, server)),
  };
}

type Embedding = Exclude<ProviderName, 'anthropic' | 'offline'>;

/** Loads the provider's package, and no other's. */
async function connectEmbedding(
  provider: Embedding,
  model: string,
  { baseUrl: baseURL, key, fetch }: Server,
): Promise<EmbeddingModelV4> {
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: key!, baseURL, fetch }).embeddingModel(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey: key!, baseURL, fetch }).embeddingModel(model);
    }
    case 'ollama':
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const named = { name: provider, baseURL, fetch, ...(key !== undefined && { apiKey: key }) };
      return createOpenAICompatible(named).embeddingModel(model);
    }
  }
}

/** Without the warnings that the AI SDK would print to the console of the host. */
function quiet(model: EmbeddingModelV4): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed: async (options) => ({ ...(await model.doEmbed(options)), warnings: [] }),
  };
}

function noEmbeddings(reference: string, provider: ProviderName): ThroughlineError {
  const { label }: Provider = PROVIDERS[provider];
  return new ThroughlineError(
    'model-unknown',
    `${label.charAt(0).toUpperCase()}${label.slice(1)} has no embeddings. Name one of openai, google, ollama or compatible, as in "openai:text-embedding-3-small".`,
    { details: { reference } },
  );
}

function nameMissing(reference: string, provider: ProviderName): ThroughlineError {
  return new ThroughlineError(
    'model-unknown',
    `"${reference}" names no embedding model. Put it behind the provider, as in "${provider}:nomic-embed-text".`,
    { details: { reference } },
  );
}
