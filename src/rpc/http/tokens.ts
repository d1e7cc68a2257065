import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Access, OWNER } from '../access.ts';
import { refused } from '../error-codes.ts';
import { openTokensFile } from './tokens-file.ts';

/** Who a token belongs to. Throws `access-denied` for one that nobody has. */
export type Authenticate = (token: string | undefined) => Access;

export interface TokenOptions {
  /** The token of whoever starts the server; made anew for each start if not given. */
  readonly token?: string;
  /** Tokens of others, by their hashes. */
  readonly file?: string;
}

/** 256 bits, in letters that need no escaping anywhere. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whoever gives a token of their own gives one that cannot be guessed. */
const SHORTEST = 16;

export function createAuthenticator({ token, file }: TokenOptions): Authenticate {
  if (token !== undefined && token.length < SHORTEST)
    throw refused(
      'usage',
      `The token has ${token.length} characters: give one of ${SHORTEST} or more, or none.`,
    );
  const own = token === undefined ? undefined : hashToken(token);
  const others = file === undefined ? undefined : openTokensFile(file);
  return (given) => {
    const hash = !given || given.length > 500 ? '' : hashToken(given);
    if (own !== undefined && isEqual(own, hash)) return OWNER;
    const line = others?.().find(({ sha256 }) => isEqual(sha256, hash));
    if (line) return { user: line.name, mayWrite: line.access === 'write', projects: line.projects };
    throw refused(
      'access-denied',
      given === undefined
        ? 'A token is needed: "Authorization: Bearer …". "throughline serve" prints it with the address.'
        : 'The server does not know this token. It changes with each start unless it was given one.',
    );
  };
}

/** Takes the same time wherever they differ. */
function isEqual(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}
