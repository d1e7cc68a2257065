import { type Environment, firstSet } from './environment.ts';
import { type ModelReference, parseReference } from './model-reference.ts';
import { PROVIDERS } from './providers.ts';

export interface PickedModel {
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
