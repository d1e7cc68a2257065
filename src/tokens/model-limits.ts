import { CATALOGUE } from './catalogue.ts';
import { findModel } from './find-model.ts';
import { type ModelPrice, modelPrice } from './model-price.ts';

export interface DeclaredLimits {
  readonly window?: number | undefined;
  readonly output?: number | undefined;
  /** In US dollars for a million tokens, instead of the catalogue's. */
  readonly price?: ModelPrice | undefined;
}

export interface ModelLimits {
  /** Tokens that a request and its answer share. */
  readonly window: number;
  /** The longest answer, never more than the window. */
  readonly output: number;
  /** Where the window comes from: the user, the catalogue, or nowhere. */
  readonly source: 'declared' | 'catalogue' | 'default';
}

/** For an unknown model: what small local models can do, so that no request is too long for it. */
const UNKNOWN_WINDOW = 32_768;
const UNKNOWN_OUTPUT = 4_096;

/**
 * How much a model can read and write. `overrides` are the user's own, by any name that finds the model; what they say
 * beats the catalogue, and what they leave out comes from it.
 */
export function modelLimits(
  model: string,
  { overrides = {} }: { overrides?: Readonly<Record<string, DeclaredLimits>> | undefined } = {},
): ModelLimits {
  const declared = findModel(model, { lines: Object.entries(overrides), nameOf: ([name]) => name })?.line[1];
  const line = findModel(model, { lines: CATALOGUE, nameOf: (line) => line.model })?.line;
  const declaredWindow = wholeTokens(declared?.window);
  const window = declaredWindow ?? line?.window ?? UNKNOWN_WINDOW;
  const output = wholeTokens(declared?.output) ?? line?.output ?? UNKNOWN_OUTPUT;
  const source = declaredWindow !== undefined ? 'declared' : line ? 'catalogue' : 'default';
  return { window, output: Math.min(output, window), source };
}

/** The price of a model: the user's own, by any name that finds it, or the catalogue's. */
export function priceOf(
  model: string,
  { overrides = {} }: { overrides?: Readonly<Record<string, DeclaredLimits>> | undefined } = {},
): ModelPrice | undefined {
  const declared = findModel(model, { lines: Object.entries(overrides), nameOf: ([name]) => name })?.line[1];
  return declared?.price ?? modelPrice(model);
}

/** A limit of nothing, or of no number, is a slip in the settings: it would stop every request. */
function wholeTokens(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= 1 && Number.isFinite(limit) ? Math.floor(limit) : undefined;
}
