import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Access, OWNER, refused } from '../../../operations/index.ts';
import { keepPrivate, sayExposed } from '../../../store/index.ts';

export interface Authenticator {
  /** Who a token belongs to. Throws `access-denied` for an unknown one. */
  authenticate(token: string | undefined): Access;
  /** True if the token still exists with the same reach. */
  holds(access: Access): boolean;
}

interface TokenOptions {
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

const Line = z.strictObject({
  name: z.string().min(1).max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hex'),
  /** `null` reaches every project. */
  projects: z.array(z.string().min(1)).min(1).nullable(),
  access: z.enum(['read', 'write']),
});
export type TokenLine = z.infer<typeof Line>;

const TokensFile = z.strictObject({ tokens: z.array(Line) });

const FRESH_MS = 1_000;

/** The lines of the file as they are now: one that is taken out no longer counts a second later. */
export function openTokensFile(file: string): () => readonly TokenLine[] {
  // The stamp first: what changes while the lines are read is then seen the next time.
  let stamp = stampOf(file);
  let lines = readTokens(file);
  let looked = Date.now();
  return () => {
    if (Date.now() - looked < FRESH_MS) return lines;
    looked = Date.now();
    const now = stampOf(file);
    if (now === stamp) return lines;
    stamp = now;
    try {
      lines = readTokens(file);
    } catch {
      // An unreadable file refuses every token.
      lines = [];
    }
    return lines;
  };
}

/** Closes the file to other users of the machine; a sentence that names it if that is not possible. */
export function closeTokensFile(file: string): string | undefined {
  return sayExposed(keepPrivate([file]));
}

/** Adds a line and writes the file anew, readable by its owner alone. */
export function addToken(file: string, line: TokenLine): void {
  const tokens = existsSync(file) ? readTokens(file) : [];
  if (tokens.some(({ name }) => name === line.name))
    throw refused('usage', `${file} has a token for "${line.name}" already. Take it out first.`);
  const text = `${JSON.stringify({ tokens: [...tokens, line] }, null, 2)}\n`;
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

function readTokens(file: string): readonly TokenLine[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refused('usage', `The tokens in ${file} cannot be read: ${(error as Error).message}.`, { file });
  }
  const parsed = TokensFile.safeParse(value);
  if (parsed.success) return parsed.data.tokens;
  throw refused('usage', `The tokens in ${file} cannot be used: ${z.prettifyError(parsed.error)}.`, { file });
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
}

/** Ends what a token opened soon after it no longer counts: it was taken out of the file, or reaches something else now. */
export interface Revocation {
  /** Calls `end` once, when that happens. Returns the way to stop looking. */
  watch(access: Access, end: () => void): () => void;
}

const LOOK_MS = 500;

export function createRevocation(
  holds: (access: Access) => boolean,
  { lookMs = LOOK_MS }: { lookMs?: number } = {},
): Revocation {
  const open = new Set<{ readonly access: Access; readonly end: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const one of open) {
      if (holds(one.access)) continue;
      leave(one);
      one.end();
    }
  }

  function leave(one: { readonly access: Access; readonly end: () => void }): void {
    open.delete(one);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(access, end) {
      if (access === OWNER) return () => {};
      const one = { access, end };
      open.add(one);
      timer ??= setInterval(look, lookMs).unref();
      return () => leave(one);
    },
  };
}
