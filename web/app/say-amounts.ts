import { sayCount, sayTokens } from '../../src/rpc/client/index.ts';

export function saySaving(messages: number, tokens: number): string {
  return `Summarised ${sayCount(messages, 'message')}, saved about ${sayTokens(tokens)} tokens`;
}

/** Small amounts with the digits that tell them apart. */
export function sayDollars(amount: number): string {
  return `$${amount.toFixed(amount === 0 || amount >= 1 ? 2 : amount < 0.01 ? 5 : 4)}`;
}
