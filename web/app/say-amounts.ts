import { sayCount, sayTokens } from '../../src/faces/rpc/client/index.ts';

export function saySaving(messages: number, tokens: number): string {
  return `Summarised ${sayCount(messages, 'message')}, saved about ${sayTokens(tokens)} tokens`;
}
