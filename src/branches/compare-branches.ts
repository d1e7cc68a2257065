import type { Entry, EntryId, Seq, SessionId, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import type { Checkpoint } from '../summary/index.ts';
import { checkpointAfter, checkpointWhole } from './checkpoint-after.ts';
import { type Comparison, compareCheckpoints, type ThreeCheckpoints } from './compare-checkpoints.ts';
import {
  type Base,
  type Forebear,
  findBase,
  type Leg,
  legsSince,
  type Moment,
  readMerges,
  traceAncestry,
} from './find-base.ts';

export interface BranchComparison extends Comparison {
  readonly sessions: { readonly ours: SessionInfo; readonly theirs: SessionInfo };
  /** The last moment that both know. */
  readonly since: Moment & {
    /** `parting`: where the two went apart. `merge`: what one of them has merged of the other. */
    readonly by: 'parting' | 'merge';
  };
  readonly checkpoints: ThreeCheckpoints;
}

/** What two branches say differently since they last had everything in common. Reads only; writes nothing. */
export async function compareBranches(
  store: Store,
  ours: SessionInfo,
  theirs: SessionInfo,
): Promise<BranchComparison> {
  const base = await findBase(store, ours, theirs);
  const { merged, parting } = base;
  const checkpoints = await readThree(store, base);
  return {
    ...compareCheckpoints(checkpoints),
    sessions: { ours, theirs },
    since: merged ? { session: merged.session, seq: merged.seq, by: 'merge' } : { ...parting, by: 'parting' },
    checkpoints,
  };
}

async function readThree(store: Store, { ours, theirs, parting, merged }: Base): Promise<ThreeCheckpoints> {
  const infoOf = (moment: Moment) =>
    [...ours, ...theirs].find(({ info }) => info.id === moment.session)!.info;
  const common = await checkpointWhole(store, { info: infoOf(parting), seq: parting.seq });
  const since = (legs: readonly Leg[]) => checkpointAfter(store, legs, { base: common, moment: parting });
  const sides = { ours, theirs };
  if (!merged) {
    return {
      base: common,
      ours: await since(legsSince(ours, parting)),
      theirs: await since(legsSince(theirs, parting)),
    };
  }
  // The side that was merged goes on from there; the other one has it all, in its own way.
  const way = legsSince(await traceAncestry(store, infoOf(merged), merged.seq), parting);
  const base = await since(way);
  const went = await checkpointAfter(store, legsSince(sides[merged.side], merged), { base, moment: merged });
  const other: Checkpoint = await since(
    legsSince(sides[merged.side === 'ours' ? 'theirs' : 'ours'], parting),
  );
  return merged.side === 'ours' ? { base, ours: went, theirs: other } : { base, ours: other, theirs: went };
}

/** Where a line comes from. Only the id is there when the entry itself is gone with a purged session. */
export interface Source {
  readonly entry: EntryId;
  /** The session that it was said in. */
  readonly session?: SessionId;
  readonly seq?: Seq;
  readonly at?: number;
}

/**
 * Finds the entries behind lines: in a session and those it came from, then in the branches that were merged into any of
 * them, whose entries stay where they are.
 */
export async function locateSources(
  store: Store,
  sessions: readonly SessionInfo[],
  ids: Iterable<EntryId>,
): Promise<ReadonlyMap<EntryId, Source>> {
  const wanted = new Set(ids);
  const found = new Map<EntryId, Source>();
  const asked = new Set<SessionId>();
  const queue = [...sessions];
  for (let info = queue.shift(); info && wanted.size > 0; info = queue.shift()) {
    if (asked.has(info.id)) continue;
    asked.add(info.id);
    const ancestry = await traceAncestry(store, info);
    for (const { info: view } of ancestry.filter((_, index) => startsLog(ancestry, index))) {
      for (const id of wanted) {
        const entry = await store.entry(view.id, id);
        if (!entry) continue;
        wanted.delete(id);
        found.set(id, describe(entry, ancestry.slice(ancestry.findIndex((each) => each.info === view))));
      }
    }
    for (const { body } of await readMerges(store, ancestry)) {
      const branch = await store.session(body.branch);
      if (branch) queue.push(branch);
    }
  }
  for (const id of wanted) found.set(id, { entry: id });
  return found;
}

/** Whether a forebear sees a log that the younger ones do not. */
function startsLog(ancestry: readonly Forebear[], index: number): boolean {
  return index === 0 || ancestry[index - 1]!.info.parent?.relation === 'resume';
}

/** A fork sees its parent's entries under the same numbers; they were said in the parent. */
function describe({ id, seq, at }: Entry, ancestry: readonly Forebear[]): Source {
  const owner = ancestry.find(({ info: { parent } }) => parent?.relation !== 'fork' || seq > parent.seq);
  return { entry: id, session: owner!.info.id, seq, at };
}
