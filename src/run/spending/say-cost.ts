import type { SpendingSum } from './fold-spending.ts';

/** What was paid, for people: an amount, at least an amount, or that nobody knows. */
export function sayCost({ calls, cost, unpriced, unreported }: SpendingSum): string {
  const unknown = unpriced + unreported;
  if (unknown === 0) return dollars(cost);
  const which = `${unknown} ${unknown === 1 ? 'call' : 'calls'} of unknown price`;
  return unknown === calls || cost === 0 ? 'price unknown' : `at least ${dollars(cost)} (${which})`;
}

/** Small amounts with the digits that tell them apart. */
function dollars(amount: number): string {
  if (amount === 0) return '$0.00';
  return `$${amount.toFixed(amount < 0.01 ? 5 : amount < 1 ? 4 : 2)}`;
}
