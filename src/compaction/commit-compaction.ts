import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Compaction, Entry, SessionState } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { type CompactionPlan, touches } from './plan-compaction.ts';
import type { Draft } from './summarise-range.ts';

/**
 * Writes the compaction: one entry, if the range is still what was planned. Messages that came meanwhile are kept and
 * come after it; a kill at any instant leaves the old frontier or the new one.
 */
export async function commitCompaction(
  session: Session,
  plan: CompactionPlan,
  { draft, instructions }: { draft: Draft; instructions?: string },
): Promise<Entry> {
  const body = toBody(plan, draft, instructions);
  for (;;) {
    const { head, state } = await session.refresh();
    if (!stillPlanned(state, plan)) throw stale(session.id);
    try {
      const [entry] = await session.append([body], { expectedHead: head });
      return entry!;
    } catch (error) {
      if (!isThroughlineError(error, 'head-moved')) throw error;
    }
  }
}

function toBody(
  { level, covers, entries, tokensBefore }: CompactionPlan,
  draft: Draft,
  instructions?: string,
): Compaction {
  return {
    kind: 'compaction',
    level,
    covers,
    children: entries.filter(({ body }) => body.kind === 'compaction').map(({ id }) => id),
    summary: draft.summary,
    tokensBefore,
    tokensAfter: draft.tokens,
    by: draft.by,
    retention: draft.retention,
    ...(draft.usage && { usage: draft.usage }),
    ...(instructions !== undefined && { instructions }),
  };
}

/** The compactions in the range are the ones that were planned with, none more and none fewer. */
function stillPlanned({ roots }: SessionState, { covers, roots: planned }: CompactionPlan): boolean {
  const inside = roots.filter((root) => touches(root, covers));
  return inside.length === planned.length && inside.every(({ id }) => planned.includes(id));
}

function stale(id: string): ThroughlineError {
  return new ThroughlineError(
    'compaction-stale',
    `Session "${id}" was compacted by somebody else meanwhile. Nothing was written; try again.`,
    { details: { session: id } },
  );
}
