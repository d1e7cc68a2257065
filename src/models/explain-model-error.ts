import { isThroughlineError, ThroughlineError } from '../errors.ts';
import { diagnoseFailure } from './diagnose-failure.ts';
import { hideKeys } from './find-key.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';
import { type ProviderFailure, readFailure } from './read-failure.ts';

/** The model that was asked, as far as the caller knows; an `OpenedModel` fits. */
interface AskedModel {
  readonly provider: ProviderName;
  readonly model: string;
}

/**
 * Puts whatever went wrong with a model call into one of our codes and into words that say what to do. Neither the
 * message nor the cause holds a key; and the cause does not hold the request, which would put a whole conversation
 * into every log that prints an error.
 * `timeoutMs` is the caller's own limit, if that is what ran out.
 */
export function explainModelError(
  thrown: unknown,
  asked?: AskedModel,
  { timeoutMs }: { timeoutMs?: number | undefined } = {},
): ThroughlineError {
  if (isThroughlineError(thrown)) return thrown;
  const failure = readFailure(thrown);
  const provider = asked?.provider ?? providerAt(failure.url);
  const facts: Provider | undefined = provider && PROVIDERS[provider];
  const { code, message, details } = diagnoseFailure(failure, {
    label: facts?.label ?? 'the provider',
    keyVariables: facts?.keyVariables ?? [],
    baseUrlVariables: facts?.baseUrlVariables ?? [],
    provider,
    model: asked?.model,
    timeoutMs,
  });
  return new ThroughlineError(code, hideKeys(message.charAt(0).toUpperCase() + message.slice(1)), {
    cause: causeOf(failure),
    details: {
      ...(provider && { provider }),
      ...(asked && { model: asked.model }),
      ...(failure.status !== undefined && { status: failure.status }),
      ...details,
    },
  });
}

function providerAt(url: string | undefined): ProviderName | undefined {
  const { hostname = '', port } = (url && URL.parse(url)) || {};
  if (/(?:^|\.)anthropic\.com$/.test(hostname)) return 'anthropic';
  if (/(?:^|\.)openai\.com$/.test(hostname)) return 'openai';
  if (/(?:^|\.)googleapis\.com$/.test(hostname)) return 'google';
  return port === '11434' ? 'ollama' : undefined;
}

function causeOf({ name, message, body, causes }: ProviderFailure): Error {
  const cause = new Error(hideKeys([message, body.slice(0, 1000)].filter((text) => text).join('\n')));
  cause.name = name || causes[0] || 'Error';
  return cause;
}
