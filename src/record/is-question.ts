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
