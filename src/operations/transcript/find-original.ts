import path from 'node:path';
import { isThroughlineError } from '../../errors.ts';
import type { FormatName } from '../../transcripts/index.ts';
import type { Machine } from '../app.ts';
import { ARCHIVE_BRANCH, type ArchiveTarget, openArchive, vaultKey } from '../archive/open-archive.ts';

/** The archived original with this hash, if it can be had back to the byte. */
export async function findOriginalOperation(
  sha256: string,
  place: ArchiveTarget,
  machine: Machine,
): Promise<Uint8Array | undefined> {
  const { listArchive, restoreOriginal } = await import('../../transcripts/archive/index.ts');
  const archive = await openArchive(place, machine);
  const found = (await listArchive(archive)).find(({ record }) => record?.sha256 === sha256);
  if (!found) return undefined;
  const { bytes, whole } = await restoreOriginal(archive, found.path, { vaultKey: vaultKey(machine) });
  return whole ? bytes : undefined;
}

/** A file of another agent as it would be if it had never been shortened, if the archive near it has the originals. */
export async function wholeTranscript(
  file: string,
  format: FormatName,
  machine: Machine,
): Promise<Uint8Array | undefined> {
  const { SETTINGS_BRANCH, SHORTENABLE, wholeFile } = await import('../../transcripts/shorten/index.ts');
  if (!SHORTENABLE.includes(format)) return undefined;
  const folder = path.dirname(path.resolve(file));
  return wholeFile(file, async (sha256) => {
    for (const branch of [ARCHIVE_BRANCH, SETTINGS_BRANCH]) {
      try {
        const found = await findOriginalOperation(sha256, { branch, folder }, machine);
        if (found) return found;
      } catch (error) {
        // Without an archive the file says what it says.
        if (!isThroughlineError(error)) throw error;
      }
    }
    return undefined;
  });
}
