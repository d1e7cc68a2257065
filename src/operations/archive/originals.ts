import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { ArchivedFile, Original } from '../../transcripts/archive/index.ts';
import type { Machine } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { WrittenFile, writeFiles } from '../write-files.ts';
import { openArchive, openGitArchive, PlaceFields, vaultKey } from './open-archive.ts';

/** A file, or a session of the store. */
export const OriginalField = z.union([
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ session: SessionField }),
]);
type OriginalField = z.output<typeof OriginalField>;

/** Only originals that are sessions need a store. */
export interface MayHaveStore {
  readonly store?: Store;
}

/** The bytes of each original, one after the other. */
export async function* readOriginalsOperation(
  originals: readonly OriginalField[],
  { store }: MayHaveStore,
): AsyncGenerator<Original> {
  for (const original of originals)
    if ('file' in original)
      yield { name: path.basename(original.file), kind: 'file', bytes: await readFile(original.file) };
    else if (store) yield await readSession(store, original.session);
    else throw new Error('bug: a session is archived without its store');
}

/** A session with everything that was forked from it, in our own format: import brings it back. */
async function readSession(store: Store, id: string): Promise<Original> {
  const { exportSession } = await import('../../transcripts/index.ts');
  const session = await getSession(store, id);
  const pieces: Buffer[] = [];
  for await (const { text } of exportSession(store, session, { format: 'throughline' }))
    pieces.push(Buffer.from(text));
  return { name: `${session.id}.jsonl`, kind: 'session', bytes: Buffer.concat(pieces) };
}

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

export const archiveOriginals = operation({
  name: 'archive/add',
  summary:
    'Keep whole originals of files and sessions on a branch of a git repository. Your own branch, index and work tree are not touched; secrets are taken out.',
  writes: true,
  params: z.strictObject({
    ...PlaceFields,
    originals: z.array(OriginalField).min(1),
    redact: z.boolean().default(true).describe('Take secrets out.'),
    vault: z.boolean().default(false).describe('Keep the secrets beside the archive.'),
    push: z.string().optional().describe('The remote to send the branch to afterwards.'),
  }),
  result: z.strictObject({
    branch: z.string(),
    archived: z.array(ArchivedRecord.extend({ name: z.string() })),
    pushed: PushedRecord.optional(),
  }),
  faces: { cli: { archive: 'result' } },
  async run({ originals, redact, vault, push, ...place }, machine: Machine & MayHaveStore, { onProgress }) {
    const { archiveOriginal, pushBranch } = await import('../../transcripts/archive/index.ts');
    const branch = await openArchive(place, machine);
    const options = { redact, vault, vaultKey: vaultKey(machine) };
    const archived = [];
    for await (const original of readOriginalsOperation(originals, machine)) {
      archived.push({ name: original.name, ...(await archiveOriginal(branch, original, options)) });
      onProgress?.({ done: archived.length, total: originals.length });
    }
    if (push === undefined) return { branch: branch.name, archived };
    const pushed = await pushBranch(await openGitArchive(place, machine), { remote: push });
    return { branch: branch.name, archived, pushed };
  },
});

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const Whole = {
  whole: z.boolean().describe('False if placeholders stand where secrets were.'),
  newer: z.array(z.string()).readonly().describe('Versions of the same file that were archived later.'),
};

export const restoreOriginalOperation = operation({
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
    const { restoreOriginal: restore } = await import('../../transcripts/archive/index.ts');
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
