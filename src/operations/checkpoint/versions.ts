import { z } from 'zod';
import {
  checkpointAt,
  checkpointHistory,
  readCheckpoint,
  restoreCheckpoint,
} from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type Checkpoint, diffCheckpoints, EMPTY_CHECKPOINT } from '../../summary/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';

const Line = z.looseObject({
  text: z.string(),
  from: z.array(z.string()).describe('The entries it came from.'),
});

export const CheckpointRecord = z.looseObject({
  completed: z.array(Line),
  pending: z.array(Line),
  decisions: z.array(Line),
  blockers: z.array(Line),
  facts: z.array(Line),
  files: z.array(
    z.looseObject({
      path: z.string(),
      operations: z.array(z.string()),
      from: z.array(z.string()).optional(),
    }),
  ),
});

export type CheckpointRecord = z.output<typeof CheckpointRecord>;

const Version = z.int().min(1);

export const CheckpointVersionRecord = z.strictObject({
  version: Version,
  seq: z.int(),
  at: z.number(),
  by: z.looseObject({ kind: z.string() }).describe('A summary’s author, `restored` or `merged`.'),
});

export type CheckpointVersionRecord = z.output<typeof CheckpointVersionRecord>;

export const CheckpointChangeRecord = z.strictObject({
  list: z.string(),
  change: z.enum(['added', 'removed', 'reworded']),
  text: z.string(),
  was: z.string().optional(),
});
export type CheckpointChangeRecord = z.output<typeof CheckpointChangeRecord>;

function toCheckpointRecord(state: Checkpoint): CheckpointRecord {
  return state as unknown as CheckpointRecord;
}

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

export const listVersions = operation({
  name: 'checkpoint/history',
  summary: 'Every version of the checkpoint, oldest first.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ versions: z.array(CheckpointVersionRecord) }),
  faces: {
    rpc: true,
    cli: {
      'checkpoint --history': { schema: z.array(CheckpointVersionRecord), of: ({ versions }) => versions },
    },
  },
  async run({ sessionId }, { store, find }) {
    const versions = await checkpointHistory(store, await find(sessionId));
    return { versions: versions.map(({ by, ...version }) => ({ ...version, by: { ...by } })) };
  },
});

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
    changes: z.array(CheckpointChangeRecord),
  }),
  faces: {
    rpc: true,
    cli: { 'checkpoint --diff': { schema: z.array(CheckpointChangeRecord), of: ({ changes }) => changes } },
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
