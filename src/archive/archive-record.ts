import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ArchiveBranch, Look } from './archive-branch.ts';

/** What is known about an archived file: written beside it in the same commit. Unknown fields are kept. */
export const ArchiveRecord = z.looseObject({
  /** What the original was called. */
  name: z.string(),
  kind: z.enum(['file', 'session']),
  /** Of the original. */
  sha256: z.string(),
  bytes: z.number(),
  lines: z.number(),
  /** Of what is on the branch: something else if secrets were taken out. */
  stored: z.looseObject({ sha256: z.string(), bytes: z.number() }),
  /** How often a placeholder stands for a secret. */
  secrets: z.number(),
  archivedAt: z.string(),
});
export type ArchiveRecord = z.infer<typeof ArchiveRecord>;

export const FOLDER = 'archived-sessions/';
const RECORDS = 'records/';

/** Where the record of an archived file is. */
export function recordPath(path: string): string {
  return `${RECORDS}${path.slice(FOLDER.length)}.json`;
}

/** The records of some archived files, or of all of them; those without one are not in it. */
export async function readRecords(
  branch: ArchiveBranch,
  { files }: Look,
  paths: readonly string[] = [...files.keys()].filter((path) => path.startsWith(FOLDER)),
): Promise<Map<string, ArchiveRecord>> {
  const there = paths.flatMap((path) => {
    const file = files.get(recordPath(path));
    return file ? [{ path, id: file.id }] : [];
  });
  const texts = there.length === 0 ? [] : await branch.read(there.map(({ id }) => id));
  const records = new Map<string, ArchiveRecord>();
  for (const [index, { path }] of there.entries()) {
    const record = ArchiveRecord.safeParse(parse(texts[index]!.toString('utf8')));
    if (record.success) records.set(path, record.data);
  }
  return records;
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
