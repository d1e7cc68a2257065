import { z } from 'zod';
import type { Agreeing, Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { SecretFields, secretFinder } from '../secret-fields.ts';
import { openGitArchive, PlaceFields, vaultKey } from './open-archive.ts';
import { PushedRecord } from './originals.ts';

const Report = z.strictObject({
  files: z
    .array(z.strictObject({ path: z.string(), versions: z.int(), secrets: z.int() }))
    .readonly()
    .describe('Files that have changed, by their present path.'),
  commits: z.int(),
  rewritten: z.int().describe('Commits that were made anew, or would be.'),
  texts: z.int().describe('Messages and names with a secret.'),
  before: z.string(),
  after: z.string(),
});
type Report = z.output<typeof Report>;

const Leftovers = z.strictObject({
  objects: z.int().describe('Objects of the old history that git still has.'),
  heldBy: z.array(z.string()).readonly().describe('Refs that still need them.'),
  removed: z.int().optional().describe('Objects that were deleted.'),
});

export const scrubArchiveOperation = operation({
  name: 'archive/scrub',
  summary: 'Take secrets out of everything that was ever archived: the history of the branch is made anew.',
  writes: true,
  params: z.strictObject({
    ...PlaceFields,
    ...SecretFields,
    names: z.array(z.string()).default([]).describe('Only these, as the list shows them.'),
    dryRun: z.boolean().default(false).describe('Only look.'),
    vault: z
      .boolean()
      .optional()
      .describe('Keep the secrets beside the archive; `false` empties the vaults.'),
    prune: z.boolean().default(false).describe('Delete the rest of the old history here.'),
    push: z.string().optional().describe('The remote whose branch is replaced.'),
  }),
  result: z.strictObject({
    branch: z.string(),
    dryRun: z.boolean(),
    ...Report.shape,
    pushed: PushedRecord.optional(),
    left: Leftovers.optional(),
  }),
  faces: { cli: { 'archive scrub': 'result' } },
  async run(
    { names, texts, patterns, dryRun, vault, prune, push, ...place },
    machine: Machine & Agreeing<Report>,
    { onProgress },
  ) {
    if (place.github !== undefined)
      throw refused(
        'usage',
        'The history of a branch at GitHub is made anew in a clone: scrub there, and push.',
      );
    const archive = await import('../../transcripts/archive/index.ts');
    const branch = await openGitArchive(place, machine);
    const options = {
      find: await secretFinder({ texts, patterns }),
      names,
      vault,
      vaultKey: vaultKey(machine),
      ...(onProgress && { onProgress }),
    };
    let report: Report = await archive.scrubArchive(branch, { ...options, dryRun: true });
    const about = { branch: branch.name, dryRun };
    if (dryRun) return { ...about, ...report };
    if (report.rewritten > 0) {
      await machine.agree?.(report);
      report = await archive.scrubArchive(branch, { ...options, dryRun: false });
    }
    const pushed = push === undefined ? undefined : await archive.pushScrubbed(branch, { remote: push });
    const left = await (prune ? archive.pruneScrubbed(branch) : archive.findLeftovers(branch));
    return { ...about, ...report, ...(pushed && { pushed }), left };
  },
});
