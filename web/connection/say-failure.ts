import { RpcError } from '../../src/faces/rpc/client/index.ts';

/** For people who do not know the codes: what happened, and what to do. The server's own words otherwise. */
export function sayFailure(error: unknown): string {
  if (!(error instanceof RpcError)) return error instanceof Error ? error.message : String(error);
  return SENTENCES[error.code]?.(error) ?? error.message;
}

export function isFailure(error: unknown, code: string): boolean {
  return error instanceof RpcError && error.code === code;
}

const SENTENCES: Record<string, (error: Pick<RpcError, 'details' | 'message'>) => string> = {
  'server-gone': () =>
    'The server does not answer. What you wrote is still here; it is sent when you try again.',
  disconnected: () =>
    'The connection broke before the server answered. Look whether it arrived, then try again.',
  'not-allowed': () =>
    'The server refused: this token may not do that. Open the address that "throughline serve" printed.',
  'lease-held': ({ details, message }) => {
    const who = holderOf(details);
    return who
      ? `Another window or program is writing in this session (${who}). Wait for it, or fork the session and go on there.`
      : message;
  },
  'nothing-to-compact': () => 'There is nothing to compact yet: fewer than three older messages could go.',
  'session-not-found': () =>
    'There is no such session any more. It may have been purged, or its id was mistyped.',
  'session-gone': () => 'This session was purged. Nothing of it is left.',
};

function holderOf(details: Readonly<Record<string, unknown>>): string | undefined {
  const holder = details.holder ?? details.owner;
  if (typeof holder === 'string') return holder;
  if (holder === null || typeof holder !== 'object') return undefined;
  const { name, owner, pid, host } = holder as Record<string, unknown>;
  const parts = [name ?? owner, pid === undefined ? undefined : `process ${pid}`, host].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}
