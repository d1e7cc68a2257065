import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { ArchivedRecord, PushedRecord } from './archive-records.ts';
import { openArchive, openGitArchive, PlaceFields, vaultKey } from './open-archive.ts';
import { type MayHaveStore, OriginalField, readOriginals } from './read-originals.ts';

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
    const { archiveOriginal, pushBranch } = await import('../../archive/index.ts');
    const branch = await openArchive(place, machine);
    const options = { redact, vault, vaultKey: vaultKey(machine) };
    const archived = [];
    for await (const original of readOriginals(originals, machine)) {
      archived.push({ name: original.name, ...(await archiveOriginal(branch, original, options)) });
      onProgress?.({ done: archived.length, total: originals.length });
    }
    if (push === undefined) return { branch: branch.name, archived };
    const pushed = await pushBranch(await openGitArchive(place, machine), { remote: push });
    return { branch: branch.name, archived, pushed };
  },
});
