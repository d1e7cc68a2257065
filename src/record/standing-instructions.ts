import type { Entry } from './entry.ts';

/**
 * System messages before anything else was said: the instructions that a conversation began with. `entries` in the order
 * of the conversation. What a session before this one handed on is not said in this one, so it may come first.
 */
export function standingInstructions(entries: readonly Entry[]): Entry[] {
  const end = entries.findIndex((entry) => !isSystem(entry) && entry.body.kind !== 'restoration');
  return (end < 0 ? entries : entries.slice(0, end)).filter(isSystem);
}

function isSystem({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'system';
}
