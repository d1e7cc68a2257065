import { CATALOGUE } from './catalogue.ts';
import { findModel } from './find-model.ts';

/** US dollars for a million tokens. A cache price that is not known is absent. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface ModelPrice extends Prices {
  /** Of a whole request that is longer than so many tokens, and of its answer. */
  readonly long?: Prices & { readonly above: number };
}

/**
 * What the model's own provider asks, if the catalogue knows this very model: a relative's price would be a guess, a
 * model that runs at home has none, and a compatible server asks what it likes.
 */
export function modelPrice(model: string): ModelPrice | undefined {
  if (UNPRICED.test(model)) return undefined;
  const found = findModel(model, { lines: CATALOGUE, nameOf: (line) => line.model });
  if (!found?.exact || !found.line.price) return undefined;
  const { price, long } = found.line;
  if (!long) return pricesOf(price);
  const [above, input, output] = long;
  return { ...pricesOf(price), long: { above, ...pricesOf(price, { input, output }) } };
}

function pricesOf(
  [input, output, cacheRead, cacheWrite]: NonNullable<(typeof CATALOGUE)[number]['price']>,
  by = { input: 1, output: 1 },
): Prices {
  return {
    input: input * by.input,
    output: output * by.output,
    ...(cacheRead === undefined ? {} : { cacheRead: cacheRead * by.input }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * by.input }),
  };
}

/** The prices of a request of so many tokens. */
export function pricesAt({ long, ...usual }: ModelPrice, inputTokens: number): Prices {
  if (!long || inputTokens <= long.above) return usual;
  const { above: _, ...prices } = long;
  return prices;
}

const UNPRICED = /^(ollama|lm-?studio|llama-?\.?cpp|vllm|local|offline|(openai-)?compatible)[/:]/i;
