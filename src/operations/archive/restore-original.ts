import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { WrittenFile, writeFiles } from '../write-files.ts';
import { ArchivedFileRecord, toArchivedFile } from './archive-records.ts';
import { openArchive, PlaceFields, vaultKey } from './open-archive.ts';

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const Whole = {
  whole: z.boolean().describe('False if placeholders stand where secrets were.'),
  newer: z.array(z.string()).readonly().describe('Versions of the same file that were archived later.'),
};

export const restoreOriginal = operation({
  name: 'archive/restore',
  summary: 'Give an original back, to the byte.',
  params: z.strictObject({
    ...PlaceFields,
    name: z.string().describe('As the list shows it, or the start of it.'),
    out: z
      .string()
      .optional()
      .describe('The file, or a folder to put it in; the bytes are given unless named.'),
    force: z.boolean().default(false).describe('Overwrite a file that is there.'),
  }),
  result: z.strictObject({
    file: ArchivedFileRecord,
    ...Whole,
    bytes: Bytes.optional().describe('Unless `out` was named.'),
    written: WrittenFile.optional().describe('If `out` was named.'),
  }),
  faces: {
    cli: {
      'archive restore': {
        schema: ArchivedFileRecord.extend({ ...WrittenFile.shape, ...Whole }),
        of: ({ file, written, whole, newer }) => ({ ...file, ...written, whole, newer }),
      },
    },
  },
  async run({ name, out, force, ...place }, machine: Machine) {
    const { restoreOriginal: restore } = await import('../../archive/index.ts');
    const branch = await openArchive(place, machine);
    const restored = await restore(branch, name, { vaultKey: vaultKey(machine) });
    const { bytes, whole, newer } = restored;
    const file = toArchivedFile(restored.file);
    if (out === undefined) return { file, whole, newer, bytes };
    const fileName = file.name ?? file.path.split('/').at(-1)!;
    const pieces = async function* () {
      yield { file: fileName, text: bytes };
    };
    const [written] = await writeFiles(pieces(), { out, force, several: false });
    return { file, whole, newer, written };
  },
});
