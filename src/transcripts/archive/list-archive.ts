import type { ArchiveBranch } from './archive-branch.ts';
import { ARCHIVE_FOLDER, type ArchiveRecord, readRecords } from './archive-record.ts';

/** An archived file, as a list shows it. */
export interface ArchivedFile {
  readonly path: string;
  /** As it lies on the branch. */
  readonly id: string;
  readonly storedBytes: number;
  /** None if the run that put it there was interrupted. */
  readonly record?: ArchiveRecord;
}

/** Everything that is archived, the newest first. */
export async function listArchive(branch: ArchiveBranch): Promise<ArchivedFile[]> {
  const look = await branch.look();
  const records = await readRecords(branch, look);
  const files = [...look.files].filter(([path]) => path.startsWith(ARCHIVE_FOLDER));
  return files
    .map(([path, { id, bytes }]): ArchivedFile => {
      const record = records.get(path);
      return { path, id, storedBytes: bytes, ...(record && { record }) };
    })
    .sort(
      (a, b) =>
        (b.record?.archivedAt ?? '').localeCompare(a.record?.archivedAt ?? '') || (a.path < b.path ? -1 : 1),
    );
}
