import type { Entry } from './entry.ts';

/** True for a user message that begins a turn. A message that was handed in to a running turn belongs to that turn. */
export function isQuestion({ body }: Pick<Entry, 'body'>): boolean {
  return body.kind === 'message' && body.role === 'user' && steeredTurn({ body }) === undefined;
}

/** The id of the turn that a message was handed in to. */
export function steeredTurn({ body }: Pick<Entry, 'body'>): string | undefined {
  if (body.kind !== 'message' || body.role !== 'user') return undefined;
  const { steers } = (body.meta?.run ?? {}) as { steers?: unknown };
  return typeof steers === 'string' ? steers : undefined;
}

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
