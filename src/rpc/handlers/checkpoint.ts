import {
  checkpointAt,
  checkpointHistory,
  readCheckpoint,
  restoreCheckpoint,
} from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type Checkpoint, diffCheckpoints, EMPTY_CHECKPOINT } from '../../summary/index.ts';
import type { Handler } from '../call.ts';
import type { ResultOf } from '../methods/index.ts';

const get: Handler<'checkpoint/get'> = async ({ sessionId, version }, { store, find }) => {
  const info = await find(sessionId);
  const versions = (await checkpointHistory(store, info)).length;
  const state =
    version === undefined ? await readCheckpoint(store, info) : await checkpointAt(store, info, version);
  return { sessionId: info.id, version: version ?? versions, versions, checkpoint: toRecord(state) };
};

const history: Handler<'checkpoint/history'> = async ({ sessionId }, { store, find }) => {
  const versions = await checkpointHistory(store, await find(sessionId));
  return { versions: versions.map(({ by, ...version }) => ({ ...version, by: { ...by } })) };
};

const diff: Handler<'checkpoint/diff'> = async ({ sessionId, from, to }, { store, find }) => {
  const info = await find(sessionId);
  const newest = to ?? (await checkpointHistory(store, info)).length;
  const changes = diffCheckpoints(await versionOf(store, info, from), await versionOf(store, info, newest));
  return { from, to: newest, changes: changes.map((change) => ({ ...change })) };
};

const restore: Handler<'checkpoint/restore'> = async ({ sessionId, version }, { store, sessions, find }) => {
  const info = await find(sessionId);
  const state = await checkpointAt(store, info, version);
  await sessions.use(info.id, (session) => restoreCheckpoint(session, state, { version }));
  const now = (await store.session(info.id))!;
  const versions = await checkpointHistory(store, now);
  return {
    version: versions.length,
    restored: version,
    checkpoint: toRecord(await readCheckpoint(store, now)),
  };
};

async function versionOf(store: Store, info: SessionInfo, version: number): Promise<Checkpoint> {
  return version === 0 ? EMPTY_CHECKPOINT : checkpointAt(store, info, version);
}

function toRecord(state: Checkpoint): ResultOf<'checkpoint/get'>['checkpoint'] {
  return state as unknown as ResultOf<'checkpoint/get'>['checkpoint'];
}

export const checkpoint = {
  'checkpoint/get': get,
  'checkpoint/history': history,
  'checkpoint/diff': diff,
  'checkpoint/restore': restore,
};
