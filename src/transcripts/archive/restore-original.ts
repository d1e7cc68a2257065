import { ThroughlineError } from '../../errors.ts';
import { putBack } from '../../text/secrets/index.ts';
import type { ArchiveBranch } from './archive-branch.ts';
import { ARCHIVE_FOLDER, sha256 } from './archive-record.ts';
import { type ArchivedFile, listArchive } from './list-archive.ts';
import { openVault, type VaultPlace } from './vault.ts';

export interface Restored {
  readonly file: ArchivedFile;
  readonly bytes: Buffer;
  /** Whether these are the bytes of the original; otherwise placeholders stand where secrets were. */
  readonly whole: boolean;
}

/**
 * The original of an archived file, to the byte; without its secrets if those were taken out and not kept. `newer` are the
 * places of versions of it that were archived later, since it was rewritten.
 */
export async function restoreOriginal(
  branch: ArchiveBranch,
  name: string,
  { vaultKey }: { vaultKey?: string | undefined } = {},
): Promise<Restored & { readonly newer: readonly string[] }> {
  const files = await listArchive(branch);
  const file = findArchived(files, name, branch.name);
  const [stored] = await branch.read([file.id]);
  const restored = await putTogether({ folder: branch.vault, key: vaultKey }, file, stored!);
  const later = files.slice(0, files.indexOf(file));
  const newer = later.filter(({ record }) => record && record.name === file.record?.name);
  return { ...restored, newer: newer.map(({ path }) => path) };
}

/** Makes the original from the archived version, and checks that it is one. */
export async function putTogether(vault: VaultPlace, file: ArchivedFile, found: Buffer): Promise<Restored> {
  const { record } = file;
  if (!record) return { file, bytes: found, whole: false };
  // Where files are written one at a time, what has grown may be there before its record is: it begins with what that knows.
  const stored = found.subarray(0, record.stored.bytes);
  if (sha256(stored) !== record.stored.sha256)
    throw new ThroughlineError(
      'archive-differs',
      `${file.path} is not what was archived: its hash is another one.`,
      {
        details: { path: file.path, sha256: sha256(found), archived: record.stored.sha256 },
      },
    );
  if (record.secrets === 0) return { file, bytes: stored, whole: true };
  const secrets = await openVault(vault, { sha256: record.sha256, stored: record.stored.sha256 });
  if (!secrets) return { file, bytes: stored, whole: false };
  const bytes = putBack(stored, secrets);
  if (sha256(bytes) === record.sha256) return { file, bytes, whole: true };
  throw new ThroughlineError('archive-differs', `The vault of ${file.path} does not fit it.`, {
    details: { path: file.path },
  });
}

/** By its path, its name there or the one it had, or the start of its name. */
export function findArchived(
  files: readonly ArchivedFile[],
  name: string,
  where: string,
  { whole = false }: { whole?: boolean } = {},
): ArchivedFile {
  const nameOf = ({ path }: ArchivedFile) => path.slice(ARCHIVE_FOLDER.length);
  const exact = files.find((file) => file.path === name || nameOf(file) === name);
  if (exact) return exact;
  // Newest first: of several versions the last is meant.
  const had = files.find(({ record }) => record?.name === name);
  if (had) return had;
  const begun = files.filter((file) => nameOf(file).startsWith(name));
  if (begun.length === 1 && !whole) return begun[0]!;
  const which = begun.length > 0 ? ` It could be ${begun.slice(0, 5).map(nameOf).join(', ')}.` : '';
  throw new ThroughlineError('archive-not-found', `There is no "${name}" in ${where}.${which}`, {
    details: { name, candidates: begun.map(nameOf) },
  });
}
