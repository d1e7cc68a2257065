import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { openArchive, PlaceFields } from './open-archive.ts';
import { ArchivedFileRecord, toArchivedFile } from './originals.ts';

export const listArchiveOperation = operation({
  name: 'archive/list',
  summary: 'List what is archived, the newest first.',
  params: z.strictObject(PlaceFields),
  result: z.strictObject({ branch: z.string(), files: z.array(ArchivedFileRecord) }),
  faces: { cli: { 'archive list': { schema: z.array(ArchivedFileRecord), of: ({ files }) => files } } },
  async run(place, machine: Machine) {
    const { listArchive: list } = await import('../../transcripts/archive/index.ts');
    const branch = await openArchive(place, machine);
    return { branch: branch.name, files: (await list(branch)).map(toArchivedFile) };
  },
});
