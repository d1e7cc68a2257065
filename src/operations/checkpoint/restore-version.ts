import { z } from 'zod';
import {
  checkpointAt,
  checkpointHistory,
  readCheckpoint,
  restoreCheckpoint,
} from '../../compaction/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { CheckpointRecord, toCheckpointRecord, Version } from './checkpoint-record.ts';

export const restoreVersion = operation({
  name: 'checkpoint/restore',
  summary: 'Makes an older version the current one. Appends, like everything else.',
  writes: true,
  params: z.strictObject({ sessionId: SessionField, version: Version }),
  result: z.strictObject({ version: z.int(), restored: z.int(), checkpoint: CheckpointRecord }),
  faces: { rpc: true },
  async run({ sessionId, version }, { store, sessions, find }) {
    const info = await find(sessionId);
    const state = await checkpointAt(store, info, version);
    await sessions.use(info.id, (session) => restoreCheckpoint(session, state, { version }));
    const now = (await store.session(info.id))!;
    const versions = await checkpointHistory(store, now);
    return {
      version: versions.length,
      restored: version,
      checkpoint: toCheckpointRecord(await readCheckpoint(store, now)),
    };
  },
});
