import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { refused } from '../../operations/index.ts';
import { keepPrivate, sayExposed } from '../../store/index.ts';

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
