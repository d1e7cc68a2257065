import { z } from 'zod';
import {
  checkpointAt,
  checkpointHistory,
  readCheckpoint,
  restoreCheckpoint,
} from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { CheckpointRecord, toCheckpointRecord, Version } from './checkpoint-record.ts';

export const restoreVersion = operation({
  name: 'checkpoint/restore',
  summary: 'Makes an older version the current one. Appends, like everything else.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    version: Version.optional().describe('The one before the newest unless given.'),
  }),
  result: z.strictObject({ version: z.int(), restored: z.int(), checkpoint: CheckpointRecord }),
  faces: {
    rpc: true,
    cli: { 'checkpoint --restore': { schema: CheckpointRecord, of: ({ checkpoint }) => checkpoint } },
  },
  async run({ sessionId, version: asked }, { store, sessions, find }) {
    const info = await find(sessionId);
    const version = asked ?? (await versionBefore(store, info));
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

async function versionBefore(store: Store, info: SessionInfo): Promise<number> {
  const versions = (await checkpointHistory(store, info)).length;
  if (versions > 1) return versions - 1;
  const has = versions === 0 ? 'no version of its checkpoint yet' : 'only one version of its checkpoint';
  throw refused(
    'entry-not-found',
    `Session "${info.id}" has ${has}, so there is none to go back to. Each compaction makes one.`,
    { session: info.id, versions },
  );
}
