import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Settings } from '../record/index.ts';
import { PROVIDER_ALIASES, parseReference } from './model-reference.ts';
import { PROVIDERS } from './providers.ts';

/** Keeps its own context, and is continued by its own session id. Only the RPC server runs it. */
export const AGENT_SDK = 'agent-sdk';

/** A model by two names, each of which may be left out. */
export interface ModelNames {
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

export function isAgentSdk(reference: string): boolean {
  return reference === AGENT_SDK || reference.startsWith(`${AGENT_SDK}:`);
}

/** The name of a provider, also of one that is called by an alias. */
export function providerName(provider: string): string {
  const name = knownProvider(provider);
  if (name !== undefined) return name;
  const known = [...Object.keys(PROVIDERS), AGENT_SDK].join(', ');
  throw new ThroughlineError('model-unknown', `No provider "${provider}"; there are ${known}.`, {
    details: { reference: provider },
  });
}

/** The provider that the name of a model begins with, as in `openai:gpt-6`. */
export function providerIn(model: string): string | undefined {
  const colon = model.indexOf(':');
  return colon <= 0 ? undefined : knownProvider(model.slice(0, colon));
}

/** The model that the session is set to, as text; whether it can be used here is another question. */
export function rememberedReference(settings: Settings): string | undefined {
  const { provider, model } = storedNames(settings);
  return referenceOf(provider, model);
}

/**
 * The model that is asked for. A provider alone means the session's model of that provider, or the provider's default; a
 * model alone goes to the provider that its name tells, or to the session's. `undefined` if neither is named.
 */
export function askedReference(settings: Settings, { provider, model }: ModelNames): string | undefined {
  if (provider == null && model == null) return undefined;
  if (model != null && providerIn(model) !== undefined) return model;
  const stored = storedNames(settings);
  const known = stored.provider === undefined ? undefined : knownProvider(stored.provider);
  if (provider != null) {
    const name = providerName(provider);
    return referenceOf(name, model ?? (name === known ? stored.model : undefined));
  }
  if (known === AGENT_SDK) return referenceOf(known, model!);
  return isNamedAfterProvider(model!) ? model! : referenceOf(known, model!);
}

function knownProvider(name: string): string | undefined {
  const provider = PROVIDER_ALIASES[name] ?? name;
  return provider === AGENT_SDK || Object.hasOwn(PROVIDERS, provider) ? provider : undefined;
}

function storedNames({ provider, model }: Settings): {
  provider: string | undefined;
  model: string | undefined;
} {
  return { provider: provider || undefined, model: model || undefined };
}

function referenceOf(provider: string | undefined, model: string | undefined): string | undefined {
  if (model === undefined) return provider;
  return provider === undefined || providerIn(model) !== undefined ? model : `${provider}:${model}`;
}

function isNamedAfterProvider(model: string): boolean {
  try {
    return parseReference(model).provider !== undefined;
  } catch (error) {
    if (isThroughlineError(error, 'model-unknown')) return false;
    throw error;
  }
}
