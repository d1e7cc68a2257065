import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Access, OWNER, refused } from '../../operations/index.ts';
import { openTokensFile, type TokenLine } from './tokens-file.ts';

export interface Authenticator {
  /** Who a token belongs to. Throws `access-denied` for an unknown one. */
  authenticate(token: string | undefined): Access;
  /** True if the token still exists with the same reach. */
  holds(access: Access): boolean;
}

export interface TokenOptions {
  /** The token of the person who starts the server; made anew for each start if not given. */
  readonly token?: string;
  /** Tokens of others, by their hashes. */
  readonly file?: string;
}

/** 256 bits, in letters that need no escaping anywhere. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string | Buffer): string {
  return hash('sha256', token);
}

/** A token of the caller's own has to be one that cannot be guessed. */
const SHORTEST = 16;
const LONGEST = 500;

export function createAuthenticator({ token, file }: TokenOptions): Authenticator {
  if (token !== undefined && token.length < SHORTEST)
    throw refused(
      'usage',
      `The token has ${token.length} characters: give one of ${SHORTEST} or more, or none.`,
    );
  const own = token === undefined ? undefined : Buffer.from(token);
  const others = file === undefined ? undefined : openTokensFile(file);
  let lines: readonly TokenLine[] = [];
  let known = new Map<TokenLine, Access>();

  /** The lines as they are now. One that says what it said before gives the access that it gave before. */
  function current(): ReadonlyMap<TokenLine, Access> {
    const now = others?.() ?? lines;
    if (now === lines) return known;
    const before = new Map([...known].map(([line, access]) => [JSON.stringify(line), access]));
    known = new Map(now.map((line) => [line, before.get(JSON.stringify(line)) ?? accessOf(line)]));
    lines = now;
    return known;
  }

  return {
    authenticate(given) {
      const bytes = Buffer.from(!given || given.length > LONGEST ? '' : given);
      if (own !== undefined && isEqual(own, bytes)) return OWNER;
      const all = current();
      const sha256 = Buffer.from(all.size > 0 && bytes.length > 0 ? hashToken(bytes) : '');
      for (const [line, access] of all) if (isEqual(Buffer.from(line.sha256), sha256)) return access;
      throw refused(
        'access-denied',
        given === undefined
          ? 'A token is needed: "Authorization: Bearer …". The server prints it with its address when it is started.'
          : 'The server does not know this token. It changes with each start unless it was given one.',
      );
    },
    holds(access) {
      if (access === OWNER) return true;
      for (const held of current().values()) if (held === access) return true;
      return false;
    },
  };
}

function accessOf({ name, access, projects }: TokenLine): Access {
  return { user: name, mayWrite: access === 'write', projects };
}

/** Takes the same time wherever they differ. */
function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
