import { ThroughlineError } from '../errors.ts';
import type { ModelConnection } from './connect.ts';
import { explainModelError } from './explain-model-error.ts';
import { type Environment, firstSet } from './find-key.ts';
import { type ModelReference, parseReference } from './model-reference.ts';
import { PROVIDERS } from './providers.ts';

interface PickedModel {
  readonly reference: ModelReference;
  /** The variable that decided; absent when none did. */
  readonly pickedBy?: string;
}

/** Which model the environment asks for. The order is the promise: docs/models.md lists it. */
export function pickModel(env: Environment): PickedModel {
  const named = firstSet(env, ['THROUGHLINE_MODEL']);
  if (named) return { reference: parseReference(named.value), pickedBy: named.variable };

  for (const { variables, provider } of ORDER) {
    const found = firstSet(env, variables);
    if (!found) continue;
    // A key next to another address belongs to that address; OpenAI must not get to see it.
    const elsewhere = provider === 'openai' && leadsElsewhere(env);
    return { reference: { provider: elsewhere ? 'compatible' : provider }, pickedBy: found.variable };
  }
  return { reference: { provider: 'offline' } };
}

const ORDER = [
  { provider: 'compatible', variables: ['THROUGHLINE_BASE_URL'] },
  { provider: 'anthropic', variables: PROVIDERS.anthropic.keyVariables },
  { provider: 'openai', variables: [...PROVIDERS.openai.keyVariables, ...PROVIDERS.openai.baseUrlVariables] },
  { provider: 'google', variables: PROVIDERS.google.keyVariables },
  { provider: 'ollama', variables: PROVIDERS.ollama.baseUrlVariables },
] as const;

function leadsElsewhere(env: Environment): boolean {
  const address = firstSet(env, PROVIDERS.openai.baseUrlVariables);
  return address !== undefined && !/^https?:\/\/api\.openai\.com(?:\/|$)/.test(address.value);
}

const PATIENCE_MS = 5_000;

/** The first model that a server offers, for people who name only the server. Ollama lists the newest first. */
export async function firstModel(server: Omit<ModelConnection, 'model'>): Promise<string> {
  const { provider, baseUrl, key, fetch } = server;
  const url = `${baseUrl}/models`;
  const explain = (failure: object) => explainModelError({ ...failure, url }, { provider, model: '' });

  const response = await fetch(url, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(({ name, message, cause }: Error & { cause?: Error }) => {
    throw explain({ name, message: cause?.message ?? message, cause });
  });
  const { status, statusText } = response;
  const responseBody = await response.text();
  if (!response.ok) throw explain({ statusCode: status, message: statusText, responseBody });

  const name = firstName(responseBody);
  if (name !== undefined) return name;
  const advice =
    provider === 'ollama' ? 'Fetch one with "ollama pull qwen3".' : `Name one, as in "${provider}:name".`;
  throw new ThroughlineError('model-unknown', `There is no model at ${baseUrl}. ${advice}`, {
    details: { provider },
  });
}

function firstName(body: string): string | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: readonly { id?: unknown }[] };
    return data?.map(({ id }) => id).find((id) => typeof id === 'string');
  } catch {
    return undefined;
  }
}
