import { type Entry, emptySummary, foldEntry, type SessionState } from '../record/index.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { planMerge } from './plan-merge.ts';

/** How many merges follow when this plan is carried out: each costs one more summary. */
export function countMerges(
  frontier: readonly Entry[],
  state: SessionState,
  { plan, fanout }: { plan: CompactionPlan; fanout: number },
): number {
  let [entries, marks] = carryOut(frontier, state, plan);
  for (let merges = 0; ; merges++) {
    const next = planMerge(entries, marks, fanout);
    if (!next) return merges;
    [entries, marks] = carryOut(entries, marks, next);
  }
}

/** The frontier as it would be; the summary itself makes no difference to that. */
function carryOut(
  frontier: readonly Entry[],
  state: SessionState,
  { level, covers, entries, passedOver }: CompactionPlan,
): [Entry[], SessionState] {
  const made: Entry = {
    id: `planned ${level} ${covers.from}-${covers.to}`,
    seq: 0,
    at: 0,
    tokens: 0,
    body: {
      kind: 'compaction',
      level,
      covers,
      children: [],
      summary: emptySummary(),
      tokensBefore: 0,
      tokensAfter: 0,
      by: { kind: 'digest' },
      retention: 1,
    },
  };
  const gone = new Set([...entries, ...passedOver]);
  const at = frontier.findIndex((entry) => gone.has(entry));
  const rest = frontier.filter((entry) => !gone.has(entry));
  return [rest.toSpliced(at, 0, made), foldEntry(state, made)];
}
