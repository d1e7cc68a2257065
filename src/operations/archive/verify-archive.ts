import { z } from 'zod';
import type { Original } from '../../transcripts/archive/index.ts';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { openArchive, PlaceFields, vaultKey } from './open-archive.ts';
import { type MayHaveStore, OriginalField, readOriginalsOperation } from './originals.ts';

const Verified = z.strictObject({
  path: z.string(),
  state: z
    .enum(['whole', 'redacted', 'damaged', 'unfinished'])
    .describe('`redacted`: as it was archived, without its secrets. `unfinished`: it has no record.'),
});

const Compared = z.strictObject({
  name: z.string(),
  state: z.enum(['same', 'grown', 'differs', 'missing']),
  path: z.string().optional(),
});

export const verifyArchiveOperation = operation({
  name: 'archive/verify',
  summary:
    'Make every original again and compare its hash; with files or sessions, compare those with the archive.',
  params: z.strictObject({ ...PlaceFields, originals: z.array(OriginalField).default([]) }),
  result: z.union([
    z.strictObject({ branch: z.string(), verified: z.array(Verified) }),
    z.strictObject({ branch: z.string(), compared: z.array(Compared) }),
  ]),
  faces: { cli: { 'archive verify': 'result' } },
  async run({ originals, ...place }, machine: Machine & MayHaveStore, { onProgress }) {
    const { compareOriginals, verifyArchive: verify } = await import('../../transcripts/archive/index.ts');
    const branch = await openArchive(place, machine);
    if (originals.length === 0) {
      const options = { ...(onProgress && { onProgress }), vaultKey: vaultKey(machine) };
      return { branch: branch.name, verified: await verify(branch, options) };
    }
    const read: Original[] = [];
    for await (const original of readOriginalsOperation(originals, machine)) read.push(original);
    return { branch: branch.name, compared: await compareOriginals(branch, read) };
  },
});
