import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import type { TakenSecret } from '../../text/secrets/index.ts';

/** The folder of redacted texts, and the passphrase that locks them, if any. */
export interface VaultPlace {
  readonly folder: string;
  readonly key?: string | undefined;
}

const Secrets = z.array(z.object({ at: z.number(), length: z.number(), value: z.string() }));
const Vault = z.union([
  z.object({ sha256: z.string(), secrets: Secrets }),
  z.object({ sha256: z.string(), salt: z.string(), iv: z.string(), tag: z.string(), locked: z.string() }),
]);

/** Keeps the redacted texts of a file where only its owner can read them. Nothing of it ever goes to the branch. */
export async function keepInVault(
  { folder, key }: VaultPlace,
  { sha256, stored, secrets }: Named & { readonly secrets: readonly TakenSecret[] },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = fileOf(folder, { sha256, stored });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  {
    await using handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(JSON.stringify({ sha256, ...(key ? lock(secrets, key) : { secrets }) }));
    await handle.sync();
  }
  await rename(draft, file);
  // The archive that relies on it is synced, so its name has to be as well.
  await using names = await open(folder, 'r');
  await names.sync();
}

/** Which original it belongs to, and which form of that, where more was taken out later than at first. */
interface Named {
  readonly sha256: string;
  readonly stored?: string | undefined;
}

/** The redacted texts of the file with this hash, if they were kept. */
export async function openVault(
  { folder, key }: VaultPlace,
  { sha256, stored }: Named,
): Promise<readonly TakenSecret[] | undefined> {
  const text = (await read(fileOf(folder, { sha256, stored }))) ?? (await read(fileOf(folder, { sha256 })));
  if (text === undefined) return undefined;
  const vault = Vault.parse(JSON.parse(text));
  if ('secrets' in vault) return vault.secrets;
  try {
    return Secrets.parse(JSON.parse(unlock(vault, key ?? '')));
  } catch (cause) {
    throw new ThroughlineError(
      'archive-differs',
      'The vault is locked with other words than those in THROUGHLINE_VAULT_KEY.',
      { cause, details: { sha256, locked: true } },
    );
  }
}

/** Whether anything that was taken out of it was kept. */
export function hasVault({ folder }: VaultPlace, { sha256, stored }: Named): boolean {
  return existsSync(fileOf(folder, { sha256, stored })) || existsSync(fileOf(folder, { sha256 }));
}

/** Deletes the redacted texts of a file, in all of its forms. */
export async function emptyVault({ folder }: VaultPlace, sha256: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) if (name.startsWith(sha256)) await rm(path.join(folder, name), { force: true });
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

const CIPHER = 'aes-256-gcm';

function lock(secrets: readonly TakenSecret[], key: string): Omit<Locked, 'sha256'> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, scryptSync(key, salt, 32), iv);
  const locked = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
  const texts = [salt, iv, cipher.getAuthTag(), locked].map((bytes) => bytes.toString('base64'));
  return { salt: texts[0]!, iv: texts[1]!, tag: texts[2]!, locked: texts[3]! };
}

function unlock({ salt, iv, tag, locked }: Locked, key: string): string {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, scryptSync(key, bytes(salt), 32), bytes(iv));
  decipher.setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(locked)), decipher.final()]).toString('utf8');
}

type Locked = Extract<z.infer<typeof Vault>, { locked: string }>;

function fileOf(folder: string, { sha256, stored }: Named): string {
  return path.join(folder, `${sha256}${stored === undefined ? '' : `-${stored.slice(0, 16)}`}.json`);
}
