import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ArchiveBranch, Look } from './archive-branch.ts';

/** Facts about one version of an archived file. Unknown fields are kept. */
const Version = z.looseObject({
  /** What the original was called. */
  name: z.string(),
  kind: z.enum(['file', 'session']),
  /** Of the original. */
  sha256: z.string(),
  bytes: z.number(),
  lines: z.number(),
  /** Of the content on the branch: something else if secrets were taken out. */
  stored: z.looseObject({ sha256: z.string(), bytes: z.number() }),
  /** How often a placeholder stands for a secret. */
  secrets: z.number(),
  archivedAt: z.string(),
});
type Version = z.infer<typeof Version>;

/** The record of an archived file: written beside it, in the same commit where that can be done. */
export const ArchiveRecord = Version.extend({
  /** Versions that may still lie there: where files are written one at a time, the record is there before its file is. */
  replaces: z.array(Version).optional(),
});
export type ArchiveRecord = z.infer<typeof ArchiveRecord>;

export const ARCHIVE_FOLDER = 'archived-sessions/';
const RECORDS = 'records/';

/** Where the record of an archived file is. */
export function recordPath(path: string): string {
  return `${RECORDS}${path.slice(ARCHIVE_FOLDER.length)}.json`;
}

/** The archived file that a record is about; `undefined` if it is no record. */
export function pathOfRecord(record: string): string | undefined {
  return record.startsWith(RECORDS) && record.endsWith('.json')
    ? ARCHIVE_FOLDER + record.slice(RECORDS.length, -'.json'.length)
    : undefined;
}

/** The records of some archived files, or of all of them; those without one are not in it. */
export async function readRecords(
  branch: ArchiveBranch,
  { files }: Look,
  paths: readonly string[] = [...files.keys()].filter((path) => path.startsWith(ARCHIVE_FOLDER)),
): Promise<Map<string, ArchiveRecord>> {
  const there = paths.flatMap((path) => {
    const file = files.get(recordPath(path));
    return file ? [{ path, id: file.id }] : [];
  });
  const texts = there.length === 0 ? [] : await branch.read(there.map(({ id }) => id));
  const records = new Map<string, ArchiveRecord>();
  for (const [index, { path }] of there.entries()) {
    const record = parseRecord(texts[index]!);
    if (record) records.set(path, standing(record, files.get(path)!.bytes));
  }
  return records;
}

/** The record of the stored version, which has so many bytes: versions of one place only grow. */
function standing({ replaces = [], ...record }: ArchiveRecord, bytes: number): ArchiveRecord {
  const before = replaces.find(({ stored }) => stored.bytes === bytes);
  return before && record.stored.bytes !== bytes ? before : record;
}

/** The record of a new version where its file comes later: until then, the old version counts. */
export function announce(record: ArchiveRecord, before: Buffer | undefined, bytes: number): ArchiveRecord {
  const { replaces: older = [], ...there } = (before && parseRecord(before)) ?? {};
  if (!('stored' in there)) return record;
  const version = there as Version;
  const waiting = version.stored.bytes !== bytes;
  return { ...record, replaces: [version, ...(waiting ? older : [])] };
}

export function parseRecord(bytes: Buffer): ArchiveRecord | undefined {
  return ArchiveRecord.safeParse(parse(bytes.toString('utf8'))).data;
}

export function writeRecord(record: ArchiveRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
