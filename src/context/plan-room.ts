import { ThroughlineError } from '../errors.ts';
import type { Budget } from './context.ts';

export interface Room {
  readonly window: number;
  readonly reserve: number;
  /** Most local tokens that, corrected, fit into the window minus the reserve. */
  readonly limit: number;
}

const SHARE = 0.25;
const LEAST = 1000;
const MOST = 8000;

/**
 * How the window is divided between the request and the answer. The answer gets a quarter, at least 1,000 and at most
 * 8,000 tokens, no more than the model can write, and never more than half: a model whose output limit equals its
 * window, or a reserve of that size, still leaves room to ask something.
 */
export function planRoom({ window, outputLimit, reserve, correct }: Budget): Room {
  if (!(Number.isFinite(window) && window >= 2)) {
    throw new ThroughlineError(
      'usage',
      `A window of ${window} tokens holds no question and answer. Give the model's window as a number of tokens, 2 or more.`,
      { details: { window: String(window) } },
    );
  }
  const whole = Math.floor(window);
  const asked = reserve ?? Math.min(Math.max(whole * SHARE, LEAST), MOST);
  const writable = outputLimit !== undefined && outputLimit > 0 ? outputLimit : Number.POSITIVE_INFINITY;
  const kept = Math.max(1, Math.floor(Math.min(asked, writable, whole / 2)));
  return { window: whole, reserve: kept, limit: beforeCorrection(whole - kept, correct) };
}

/** The most output to ask for after a request of so many tokens. */
export function maxOutputOf({ window, outputLimit }: Budget, tokens: number): number {
  const left = Math.floor(window) - tokens;
  return outputLimit !== undefined && outputLimit > 0 ? Math.min(Math.floor(outputLimit), left) : left;
}

export function corrected(tokens: number, correct: Budget['correct']): number {
  return correct ? Math.max(0, Math.ceil(correct(tokens))) : tokens;
}

/** The largest count that is still within `limit` when it is corrected. */
function beforeCorrection(limit: number, correct: Budget['correct']): number {
  if (!correct) return limit;
  let low = 0;
  let high = limit * 16;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (corrected(middle, correct) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
