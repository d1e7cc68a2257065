import { ThroughlineError } from '../errors.ts';
import {
  type Author,
  CHECKPOINT_DOCUMENT,
  type Entry,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import type { Checkpoint } from '../summary/index.ts';
import { foldNotes, isRestored } from './fold-notes.ts';

export interface CheckpointVersion {
  /** Counts the entries that made a new one: compactions, merges, and restorations of older versions. */
  readonly version: number;
  readonly seq: Seq;
  readonly at: number;
  readonly by:
    | Author
    | { readonly kind: 'restored'; readonly version: number }
    | { readonly kind: 'merged'; readonly branch: SessionId; readonly head: Seq };
}

/** The state of the work at the session's head, or as it was after `at`. */
export async function readCheckpoint(
  store: Store,
  info: SessionInfo,
  { at = info.head }: { at?: Seq } = {},
): Promise<Checkpoint> {
  return foldNotes(store, info, { at });
}

/** Every version there was, oldest first. */
export async function checkpointHistory(store: Store, info: SessionInfo): Promise<CheckpointVersion[]> {
  const notes = await store.read(info.id, { only: 'notes' });
  return notes
    .filter((entry) => entry.body.kind === 'compaction' || entry.body.kind === 'merge' || isRestored(entry))
    .map(({ seq, at, body }, index) => ({ version: index + 1, seq, at, by: authorOf(body) }));
}

export async function checkpointAt(store: Store, info: SessionInfo, version: number): Promise<Checkpoint> {
  const history = await checkpointHistory(store, info);
  const found = history.find((entry) => entry.version === version);
  if (found) return readCheckpoint(store, info, { at: found.seq });
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${info.id}" has ${history.length} checkpoint ${history.length === 1 ? 'version' : 'versions'}; there is no ${version}.`,
    {
      details: { session: info.id, version, versions: history.length },
    },
  );
}

/** Makes an older version, or any checkpoint, the current one. Appends, like everything else. */
export async function restoreCheckpoint(
  session: Session,
  checkpoint: Checkpoint,
  { version }: { version: number },
): Promise<Entry> {
  const [entry] = await session.append([
    {
      kind: 'document',
      id: CHECKPOINT_DOCUMENT,
      title: 'Checkpoint',
      content: checkpoint,
      mediaType: 'application/json',
      meta: { version },
    },
  ]);
  return entry!;
}

function authorOf(body: Entry['body']): CheckpointVersion['by'] {
  if (body.kind === 'compaction') return body.by;
  if (body.kind === 'merge') return { kind: 'merged', branch: body.branch, head: body.head };
  const version = body.kind === 'document' ? body.meta?.version : undefined;
  return { kind: 'restored', version: typeof version === 'number' ? version : 0 };
}
