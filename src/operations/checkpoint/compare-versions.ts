import { z } from 'zod';
import { checkpointAt, checkpointHistory } from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type Checkpoint, diffCheckpoints, EMPTY_CHECKPOINT } from '../../summary/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Version } from './checkpoint-record.ts';

export const compareVersions = operation({
  name: 'checkpoint/diff',
  summary: 'What changed from one version to another, line by line.',
  params: z.strictObject({
    sessionId: SessionField,
    from: z.int().min(0).describe('0 is the empty one.'),
    to: Version.optional().describe('The newest unless given.'),
  }),
  result: z.strictObject({
    from: z.int(),
    to: z.int(),
    changes: z.array(
      z.strictObject({
        list: z.string(),
        change: z.enum(['added', 'removed', 'reworded']),
        text: z.string(),
        was: z.string().optional(),
      }),
    ),
  }),
  faces: { rpc: true },
  async run({ sessionId, from, to }, { store, find }) {
    const info = await find(sessionId);
    const newest = to ?? (await checkpointHistory(store, info)).length;
    const changes = diffCheckpoints(await versionOf(store, info, from), await versionOf(store, info, newest));
    return { from, to: newest, changes: changes.map((change) => ({ ...change })) };
  },
});

async function versionOf(store: Store, info: SessionInfo, version: number): Promise<Checkpoint> {
  return version === 0 ? EMPTY_CHECKPOINT : checkpointAt(store, info, version);
}
