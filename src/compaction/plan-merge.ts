import type { Entry, Root } from '../record/index.ts';
import type { CompactionPlan } from './plan-compaction.ts';

/**
 * The oldest `fanout` neighbours of one level, to become one of the next level; `undefined` while there are fewer. So a
 * message is summarised about log(n) times and not once a compaction, old context is short and recent context detailed.
 */
export function planMerge(
  frontier: readonly Entry[],
  roots: readonly Root[],
  fanout: number,
): CompactionPlan | undefined {
  // Only what no other compaction covers: the children of an expanded one are in sight because somebody wants them so.
  const uncovered = new Set(roots.map(({ id }) => id));
  for (let start = 0; start + fanout <= frontier.length; start++) {
    const run = frontier.slice(start, start + fanout);
    const level = levelOf(run[0]!);
    if (level === undefined || run.some((entry) => levelOf(entry) !== level || !uncovered.has(entry.id)))
      continue;
    return mergePlan(frontier, run, level + 1);
  }
  return undefined;
}

function mergePlan(frontier: readonly Entry[], run: readonly Entry[], level: number): CompactionPlan {
  const covers = run.flatMap(({ body }) => (body.kind === 'compaction' ? [body.covers] : []));
  const rest = frontier.filter((entry) => !run.includes(entry));
  return {
    level,
    covers: { from: covers[0]!.from, to: covers.at(-1)!.to },
    entries: run,
    tokensBefore: tokensOf(run),
    roots: run.map(({ id }) => id),
    kept: { messages: rest.filter(({ body }) => body.kind === 'message').length, tokens: tokensOf(rest) },
    leftOut: { messages: 0, tokens: 0 },
  };
}

function levelOf({ body }: Entry): number | undefined {
  return body.kind === 'compaction' ? body.level : undefined;
}

function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
