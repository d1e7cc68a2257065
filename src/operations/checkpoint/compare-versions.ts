import { z } from 'zod';
import { checkpointAt, checkpointHistory } from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type Checkpoint, diffCheckpoints, EMPTY_CHECKPOINT } from '../../summary/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CheckpointChange, Version } from './checkpoint-record.ts';

export const compareVersions = operation({
  name: 'checkpoint/diff',
  summary: 'The changes from one version of the checkpoint to another, line by line.',
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    from: z.int().min(0).optional().describe('0 is the empty one. The one before the newest unless given.'),
    to: Version.optional().describe('The newest unless given.'),
  }),
  result: z.strictObject({
    from: z.int(),
    to: z.int(),
    changes: z.array(CheckpointChange),
  }),
  faces: {
    rpc: true,
    cli: { 'checkpoint --diff': { schema: z.array(CheckpointChange), of: ({ changes }) => changes } },
  },
  async run({ sessionId, from, to }, { store, find }) {
    const info = await find(sessionId);
    const newest = (await checkpointHistory(store, info)).length;
    const [before, after] = [from ?? Math.max(0, newest - 1), to ?? newest];
    const changes = diffCheckpoints(
      await versionOf(store, info, before),
      await versionOf(store, info, after),
    );
    return { from: before, to: after, changes: changes.map((change) => ({ ...change })) };
  },
});

async function versionOf(store: Store, info: SessionInfo, version: number): Promise<Checkpoint> {
  return version === 0 ? EMPTY_CHECKPOINT : checkpointAt(store, info, version);
}
