import { z } from 'zod';
import { checkpointAt, checkpointHistory, readCheckpoint } from '../../compaction/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CheckpointRecord, toCheckpointRecord, Version } from './checkpoint-record.ts';

export const getCheckpoint = operation({
  name: 'checkpoint/get',
  summary: 'The state of the work: what is done, open, decided, blocked and known.',
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    version: Version.optional().describe('The newest unless given.'),
  }),
  result: z.strictObject({
    sessionId: z.string(),
    version: z.int().describe('0 before the first compaction.'),
    versions: z.int(),
    checkpoint: CheckpointRecord,
  }),
  faces: {
    help: { checkpoint: 'Show the state of the work: what is done, open, decided and blocked.' },
    rpc: true,
    cli: { checkpoint: { schema: CheckpointRecord, of: ({ checkpoint }) => checkpoint } },
    mcp: ['checkpoint'],
  },
  async run({ sessionId, version }, { store, find }) {
    const info = await find(sessionId);
    const versions = (await checkpointHistory(store, info)).length;
    const state =
      version === undefined ? await readCheckpoint(store, info) : await checkpointAt(store, info, version);
    return {
      sessionId: info.id,
      version: version ?? versions,
      versions,
      checkpoint: toCheckpointRecord(state),
    };
  },
});
