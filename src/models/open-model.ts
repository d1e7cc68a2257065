import { baseUrlOf } from './base-url.ts';
import type { Connection } from './connect.ts';
import { connectOnce } from './connect-once.ts';
import type { Environment } from './environment.ts';
import { findKey } from './find-key.ts';
import { firstModel } from './first-model.ts';
import { guardFetch } from './guard-fetch.ts';
import type { LanguageModelV4 } from './language-model.ts';
import { type ModelFacts, modelFacts, type Overrides } from './model-facts.ts';
import { parseReference, referenceText } from './model-reference.ts';
import { pickModel } from './pick-model.ts';
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
export type Server = Omit<Connection, 'model'>;

const OFFLINE: Server = { provider: 'offline', baseUrl: '', key: undefined, fetch };

export function reach(
  provider: ProviderName,
  { env, fetch, baseUrl }: { env: Environment; fetch: typeof globalThis.fetch; baseUrl: string | undefined },
): Server {
  const url = baseUrlOf(provider, env, baseUrl);
  const key = findKey(provider, env, url);
  return { provider, baseUrl: url, key, fetch: guardFetch(fetch, key) };
}
