import { sayDollars } from '../../text/index.ts';
import type { SpendingSum } from './fold-spending.ts';

/** The cost, for people: an amount, at least an amount, or unknown. */
export function sayCost({ calls, cost, unpriced, unreported }: SpendingSum): string {
  const unknown = unpriced + unreported;
  if (unknown === 0) return sayDollars(cost);
  const which = `${unknown} ${unknown === 1 ? 'call' : 'calls'} of unknown price`;
  return unknown === calls || cost === 0 ? 'price unknown' : `at least ${sayDollars(cost)} (${which})`;
}
