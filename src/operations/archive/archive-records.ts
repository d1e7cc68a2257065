import { z } from 'zod';
import type { ArchivedFile } from '../../archive/index.ts';

/** An original on the branch. Without a record, because putting it there was cut short, only the first fields are known. */
export const ArchivedFileRecord = z.strictObject({
  path: z.string(),
  storedBytes: z.int().describe('As it lies on the branch.'),
  name: z.string().optional().describe('The name of the original.'),
  kind: z.enum(['file', 'session']).optional(),
  bytes: z.int().optional().describe('Of the original.'),
  lines: z.int().optional(),
  sha256: z.string().optional().describe('Of the original.'),
  secrets: z.int().optional().describe('How many were taken out.'),
  archivedAt: z.string().optional(),
});
export type ArchivedFileRecord = z.output<typeof ArchivedFileRecord>;

export function toArchivedFile({ path, storedBytes, record }: ArchivedFile): ArchivedFileRecord {
  const { name, kind, sha256, bytes, lines, secrets, archivedAt } = record ?? {};
  return { path, name, kind, bytes, lines, storedBytes, sha256, secrets, archivedAt };
}

/** The outcome of archiving one original. */
export const ArchivedRecord = z.strictObject({
  path: z.string(),
  how: z.enum(['new', 'grown', 'known']),
  commit: z.string().optional().describe('None if it was there already.'),
  sha256: z.string(),
  bytes: z.int(),
  secrets: z.int(),
  whole: z.boolean().describe('The original can be restored to the byte.'),
});

export const PushedRecord = z.strictObject({
  remote: z.string(),
  branch: z.string(),
  commit: z.string(),
  rebased: z.int().describe('Commits that were put on top of others that had been pushed.'),
});
