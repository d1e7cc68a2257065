import { sayNumber } from './say-number.ts';

/** `1 session`, `1,204 sessions`. */
export function sayCount(count: number, one: string, many: string = `${one}s`): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}

/** 950 → "950", 27,312 → "27K", 1,240,000 → "1.2M": as exact as an estimate deserves. */
export function sayTokens(tokens: number): string {
  const short = (amount: number, unit: string) =>
    `${amount >= 10 ? Math.round(amount) : Math.round(amount * 10) / 10}${unit}`;
  if (tokens >= 999_500) return short(tokens / 1_000_000, 'M');
  if (tokens >= 1_000) return short(tokens / 1_000, 'K');
  return String(Math.round(tokens));
}

/** `9,204 tokens`, `27K tokens`: exact while the number is short. */
export function sayTokenCount(tokens: number): string {
  return `${tokens < 10_000 ? sayNumber(tokens) : sayTokens(tokens)} tokens`;
}

/** `0.4 %`, `18 %` */
export function sayShare(amount: number, whole: number): string {
  if (whole <= 0) return '0 %';
  const share = (amount / whole) * 100;
  return `${share >= 10 || share === 0 ? share.toFixed(0) : share.toFixed(1)} %`;
}

/** An amount of money for people: small ones with the digits that tell them apart. */
export function sayDollars(amount: number): string {
  if (amount === 0) return '$0.00';
  return `$${amount.toFixed(amount < 0.01 ? 5 : amount < 1 ? 4 : 2)}`;
}
