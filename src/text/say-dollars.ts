/** An amount of money for people: small ones with the digits that tell them apart. */
export function sayDollars(amount: number): string {
  if (amount === 0) return '$0.00';
  return `$${amount.toFixed(amount < 0.01 ? 5 : amount < 1 ? 4 : 2)}`;
}
