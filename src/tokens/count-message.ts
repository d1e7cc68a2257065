import { type CountablePart, type CountOptions, countPart } from './count-part.ts';

export interface CountableMessage {
  readonly role: string;
  readonly parts: readonly CountablePart[];
}

/** The role and the marks between messages. */
const MESSAGE_FRAME = 4;

/** Tokens that a message takes in a request, its own frame included. */
export function countMessage({ parts }: CountableMessage, options: CountOptions = {}): number {
  return parts.reduce((sum, part) => sum + countPart(part, options), MESSAGE_FRAME);
}
