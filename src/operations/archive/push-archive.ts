import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { openGitArchive, PlaceFields } from './open-archive.ts';
import { PushedRecord } from './originals.ts';

export const pushArchive = operation({
  name: 'archive/push',
  summary: 'Send the branch to a remote. If others were faster, ours is put on top of theirs.',
  writes: true,
  fails: ['archive-not-pushed'],
  params: z.strictObject({
    ...PlaceFields,
    remote: z.string().default('origin'),
    force: z
      .boolean()
      .default(false)
      .describe(
        'After a scrub: replace the branch there, if it has nothing but commits from before the scrub.',
      ),
  }),
  result: PushedRecord,
  faces: { cli: { 'archive push': 'result' } },
  async run({ remote, force, ...place }, machine: Machine) {
    const { pushBranch, pushScrubbed } = await import('../../transcripts/archive/index.ts');
    return (force ? pushScrubbed : pushBranch)(await openGitArchive(place, machine), { remote });
  },
});
