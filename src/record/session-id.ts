import { z } from 'zod';

// Session ids become file names (transcripts, archives) on every system, so the rules are those of the strictest one.
const SAFE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Letters, digits, `.`, `_` and `-`; at most 128; safe as a file name on every system. */
export const SessionId = z
  .string()
  .refine(
    isSessionId,
    'a session id is 1 to 128 letters, digits, ".", "_" or "-", and no reserved file name',
  );
export type SessionId = z.infer<typeof SessionId>;

export function isSessionId(text: string): boolean {
  return SAFE.test(text) && !text.includes('..') && !RESERVED.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID is the same id in either case, and new ones are kept in lower case. Every other id means its very letters. */
export function canonicalSessionId(id: SessionId): SessionId {
  return id.length === 36 && UUID.test(id) ? id.toLowerCase() : id;
}

/** `simple_sally_20251230_112153`: who and when, in local time, so that a person can read and type it. */
export function newSessionId({
  agent = 'session',
  now = Date.now(),
  code,
}: {
  agent?: string;
  now?: number;
  /** Sets sessions apart that the same agent starts in one second: letters and digits, a letter first. */
  code?: string | undefined;
} = {}): SessionId {
  const at = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
  // In front of the time: behind it, the plain id would be the start of the one with a code.
  const who = code === undefined ? slug(agent) : `${slug(agent)}_${code}`;
  return `${who}_${day}_${time}`;
}

/** The same id with a short suffix, for when two sessions start in one second. `attempt` counts from 2. */
export function withSuffix(id: SessionId, attempt: number): SessionId {
  return `${id}_${attempt}`;
}

function slug(agent: string): string {
  const letters = agent.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const safe = letters
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return safe && !RESERVED.test(safe) ? safe : 'session';
}
