import type { Seq, SessionId, SessionInfo } from '../record/index.ts';
import { describeSession, type LineageNode, readLineage, type SessionDescription } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { readMerges } from './find-base.ts';

/** A session's whole family as `--json` and RPC show it. A contract: fields are added, never changed. */
export interface DescribedLineage {
  /** The one that was asked about. */
  readonly session: SessionId;
  /** The parent that the eldest names, if that was purged. */
  readonly missing: SessionId | null;
  readonly root: Relative;
}

export interface Relative extends SessionDescription {
  readonly head: Seq;
  /** The last entry it shares with its parent, or the parent's newest one when it was resumed. */
  readonly branchedAt: Seq | null;
  /** How many entries are its own. */
  readonly entries: number;
  /** What it has merged, newest first. */
  readonly merges: readonly MergeNote[];
  /** Oldest first. */
  readonly children: readonly Relative[];
}

interface MergeNote {
  readonly branch: SessionId;
  /** The newest entry of the branch that came. */
  readonly head: Seq;
  /** Where the merge stands. */
  readonly seq: Seq;
  readonly at: number;
}

/** The ancestors of a session, the forks and resumed sessions of each, and merges back. */
export async function describeLineage(store: Store, session: SessionInfo): Promise<DescribedLineage> {
  const { root, missing } = await readLineage(store, session);
  return { session: session.id, missing: missing ?? null, root: await describeRelative(store, root) };
}

async function describeRelative(store: Store, { session, children }: LineageNode): Promise<Relative> {
  const { head, parent } = session;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const merges = await readMerges(store, [{ info: session, upTo: head }]);
  return {
    ...describeSession(session),
    head,
    branchedAt: parent?.seq ?? null,
    entries: head - shared,
    merges: merges
      .filter(({ seq }) => seq > shared)
      .map(({ seq, at, body }) => ({ branch: body.branch, head: body.head, seq, at })),
    children: await Promise.all(children.map((child) => describeRelative(store, child))),
  };
}
