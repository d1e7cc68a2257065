import { hash } from 'node:crypto';
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

/** Programs without types give anything, and a pattern takes `['a']` for `'a'`. */
export function isSessionId(text: unknown): text is string {
  return typeof text === 'string' && SAFE.test(text) && !text.includes('..') && !RESERVED.test(text);
}

const UUID_ZERO = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(id: unknown): boolean {
  return typeof id === 'string' && id.length === 36 && UUID.test(id);
}

/** True for the start of a UUID, in any case. */
export function isUuidStart(text: string): boolean {
  return text !== '' && isUuid(text + UUID_ZERO.slice(text.length));
}

/** A UUID is the same id in either case, and new ones are kept in lower case. Every other id means its very letters. */
export function canonicalSessionId(id: SessionId): SessionId {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** `simple_sally_20251230_112153`: who and when, in local time, so that a person can read and type it. */
export function newSessionId({
  agent = 'session',
  now = Date.now(),
}: {
  agent?: string;
  now?: number;
} = {}): SessionId {
  const at = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
  return `${slug(agent)}_${day}_${time}`;
}

const TIME = '_20251230_112153'.length;

/**
 * A made id with a code of letters and digits, a letter first: before the time, or in front if another session's id is the
 * start of the agent's name. Behind the time it would make the plain id the start of this one.
 */
export function withCode(id: SessionId, code: string, place: 'before-time' | 'in-front'): SessionId {
  return place === 'in-front' ? `${code}_${id}` : `${id.slice(0, -TIME)}_${code}${id.slice(-TIME)}`;
}

/** True if `other` is the start of every id that this agent's sessions could get without a code in front. */
export function startsEveryName(other: SessionId, id: SessionId): boolean {
  return id.slice(0, 1 - TIME).startsWith(other);
}

/**
 * An id for a session that cannot have `id`: a code in front of it that follows from the reason, so a repeat finds it. A
 * number behind it would make `id` the start of this one.
 */
export function deriveSessionId(id: SessionId, ...reason: readonly (string | number)[]): SessionId {
  const code = hash('sha256', JSON.stringify([id, ...reason])).slice(0, 8);
  return `${code}_${id.slice(0, 110).replace(/\.$/, '-')}`;
}

function slug(agent: string): string {
  const letters = agent.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const safe = letters
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return safe && !RESERVED.test(safe) ? safe : 'session';
}
