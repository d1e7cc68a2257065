import { z } from 'zod';
import { checkpointHistory } from '../../compaction/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CheckpointVersion } from './checkpoint-record.ts';

export const listVersions = operation({
  name: 'checkpoint/history',
  summary: 'Every version of the checkpoint, oldest first.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ versions: z.array(CheckpointVersion) }),
  faces: {
    rpc: true,
    cli: { 'checkpoint --history': { schema: z.array(CheckpointVersion), of: ({ versions }) => versions } },
  },
  async run({ sessionId }, { store, find }) {
    const versions = await checkpointHistory(store, await find(sessionId));
    return { versions: versions.map(({ by, ...version }) => ({ ...version, by: { ...by } })) };
  },
});
