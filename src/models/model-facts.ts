import {
  type DeclaredLimits,
  type ModelLimits,
  type ModelPrice,
  modelLimits,
  modelPrice,
} from '../tokens/index.ts';
import { type Environment, firstSet } from './environment.ts';
import type { ProviderName } from './providers.ts';

/** The user's own limits, by any name that finds the model. */
export type Overrides = Readonly<Record<string, DeclaredLimits>>;

export interface ModelFacts {
  readonly limits: ModelLimits;
  /** Absent where nobody asks for money, and where it is not known who asks how much. */
  readonly price?: ModelPrice;
}

const OFFLINE: ModelFacts = { limits: { window: 200_000, output: 4_096, source: 'default' } };
const USUAL_OLLAMA_WINDOW = 32_768;

/** How much a model reads and writes, and what it costs at this provider. */
export function modelFacts(
  { provider, model }: { readonly provider: ProviderName; readonly model: string },
  { env, overrides = {} }: { env: Environment; overrides?: Overrides | undefined },
): ModelFacts {
  if (provider === 'offline') return OFFLINE;
  const id = `${provider}:${model}`;
  const limits = modelLimits(id, { overrides });
  if (provider === 'ollama') return { limits: ollamaLimits(limits, model, env) };
  const price = provider === 'compatible' ? undefined : modelPrice(id);
  return { limits, ...(price && { price }) };
}

/**
 * Ollama runs a model with a smaller window than it could have, and cuts what is longer without a word. So the
 * variable that sets the server's window counts here too, and without it a model is not trusted with all it could do.
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
