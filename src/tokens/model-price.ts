import { CATALOGUE } from './catalogue.ts';
import { findModel } from './find-model.ts';

/** US dollars for a million tokens. A cache price that is not known is absent. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/**
 * What the model's own provider asks, if the catalogue knows this very model: a relative's price would be a guess, a
 * model that runs at home has none, and a compatible server asks what it likes.
 */
export function modelPrice(model: string): ModelPrice | undefined {
  if (UNPRICED.test(model)) return undefined;
  const found = findModel(model, { lines: CATALOGUE, nameOf: (line) => line.model });
  if (!found?.exact || !found.line.price) return undefined;
  const [input, output, cacheRead, cacheWrite] = found.line.price;
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

const UNPRICED = /^(ollama|lm-?studio|llama-?\.?cpp|vllm|local|offline|(openai-)?compatible)[/:]/i;
