/** `1,204`. Whole numbers by hand: the first number that `toLocaleString` writes costs a process several milliseconds. */
export function sayNumber(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en-US');
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
