import type { Entry, SessionState } from '../record/index.ts';
import { isForeign } from './foreign-summaries.ts';
import { type CompactionPlan, isPassedOver, planOf } from './plan-compaction.ts';

/**
 * The oldest `fanout` neighbours of one level, to become one of the next level; `undefined` while there are fewer. So a
 * message is summarised about log(n) times and not once a compaction, old context is short and recent context detailed. A summary
 * by another program's model is merged with none.
 */
export function planMerge(
  frontier: readonly Entry[],
  state: Pick<SessionState, 'roots' | 'pinned' | 'excluded' | 'removed' | 'expanded'>,
  fanout: number,
): CompactionPlan | undefined {
  const { roots, expanded } = state;
  // Only what no other compaction covers: the children of an expanded one are in sight because a person opened it.
  const uncovered = new Set((expanded.length === 0 ? frontier : roots).map(({ id }) => id));
  for (let start = 0; start + fanout <= frontier.length; start++) {
    const run = frontier.slice(start, start + fanout);
    const level = levelOf(run[0]!);
    const fits = (entry: Entry) =>
      levelOf(entry) === level && uncovered.has(entry.id) && !isPassedOver(state, entry) && !isForeign(entry);
    if (level === undefined || !run.every(fits)) continue;
    return planOf(run, { frontier, state });
  }
  return undefined;
}

function levelOf({ body }: Entry): number | undefined {
  return body.kind === 'compaction' ? body.level : undefined;
}
