import { isThroughlineError } from '../../errors.ts';
import { redactBytes } from '../../text/secrets/index.ts';
import type { ArchiveBranch } from './archive-branch.ts';
import type { Original } from './archive-original.ts';
import { sha256 } from './archive-record.ts';
import { holdsLog } from './holds-log.ts';
import { type ArchivedFile, listArchive } from './list-archive.ts';
import { putTogether } from './restore-original.ts';
import type { VaultPlace } from './vault.ts';

/** The state of one archived file. */
export interface Verified {
  readonly path: string;
  /**
   * `whole`: the original can be had from it to the byte. `redacted`: it is the archived file, without its secrets. `damaged`:
   * it differs from the archived file. `unfinished`: nothing is known about it.
   */
  readonly state: 'whole' | 'redacted' | 'damaged' | 'unfinished';
}

/** How an original of today stands to the archive. */
export interface Compared {
  readonly name: string;
  /** `same`; `grown`: more was said since; `differs`: another version is archived; `missing`: none is. */
  readonly state: 'same' | 'grown' | 'differs' | 'missing';
  readonly path?: string;
}

const AT_ONCE = 50;

/** Makes every original again and compares its hash with what it was. */
export async function verifyArchive(
  branch: ArchiveBranch,
  {
    onProgress,
    vaultKey,
  }: {
    onProgress?: (progress: { done: number; total: number }) => void;
    vaultKey?: string | undefined;
  } = {},
): Promise<Verified[]> {
  const files = await listArchive(branch);
  const verified: Verified[] = [];
  const vault = { folder: branch.vault, key: vaultKey };
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE);
    const stored = await branch.read(some.map(({ id }) => id));
    for (const [index, file] of some.entries())
      verified.push({ path: file.path, state: await stateOf(vault, file, stored[index]!) });
    onProgress?.({ done: verified.length, total: files.length });
  }
  return verified;
}

async function stateOf(vault: VaultPlace, file: ArchivedFile, stored: Buffer): Promise<Verified['state']> {
  if (!file.record) return 'unfinished';
  try {
    return (await putTogether(vault, file, stored)).whole ? 'whole' : 'redacted';
  } catch (error) {
    // A vault that cannot be unlocked here counts as removed.
    if (isThroughlineError(error, 'archive-differs')) return error.details.locked ? 'redacted' : 'damaged';
    throw error;
  }
}

/** Compares originals with the archive, files by hash: their secrets need not be known for that. */
export async function compareOriginals(
  branch: ArchiveBranch,
  originals: readonly Original[],
): Promise<Compared[]> {
  const files = await listArchive(branch);
  const compared: Compared[] = [];
  for (const original of originals) compared.push(await compare(branch, files, original));
  return compared;
}

async function compare(
  branch: ArchiveBranch,
  files: readonly ArchivedFile[],
  { name, kind, bytes }: Original,
): Promise<Compared> {
  const own = files.flatMap(({ path, id, record }) => (record?.kind === kind ? [{ path, id, record }] : []));
  const same = own.find(({ record }) => record.sha256 === sha256(bytes));
  if (same) return { name, state: 'same', path: same.path };
  const named = own.filter(({ record }) => record.name === name);
  for (const { path, id, record } of named) {
    if (kind === 'session') {
      const [stored] = await branch.read([id]);
      const now = record.secrets > 0 ? (await redactBytes(bytes)).bytes : bytes;
      if (holdsLog(now, stored!)) return { name, state: 'grown', path };
    } else if (record.bytes < bytes.length && sha256(bytes.subarray(0, record.bytes)) === record.sha256)
      return { name, state: 'grown', path };
  }
  return named[0] ? { name, state: 'differs', path: named[0].path } : { name, state: 'missing' };
}
