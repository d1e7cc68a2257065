import type { SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import type { Checkpoint } from '../summary/index.ts';
import { checkpointAfter, checkpointWhole } from './checkpoint-after.ts';
import { type Comparison, compareCheckpoints, type ThreeCheckpoints } from './compare-checkpoints.ts';
import { type Base, findBase } from './find-base.ts';
import { type Leg, legsSince, type Moment, traceAncestry } from './trace-ancestry.ts';

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
