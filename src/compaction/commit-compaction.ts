import { ThroughlineError } from '../errors.ts';
import type { Compaction, Entry, SessionState } from '../record/index.ts';
import { livingRoots, type Session } from '../session/index.ts';
import { retryOnHeadMoved } from '../store/index.ts';
import { type CompactionPlan, isPassedOver, touches } from './plan-compaction.ts';
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
  return retryOnHeadMoved(async () => {
    const info = await session.refresh();
    const roots = await livingRoots(session.store, info);
    if (!stillPlanned({ ...info.state, roots }, plan)) throw stale(session.id);
    const [entry] = await session.append([body], { expectedHead: info.head });
    return entry!;
  });
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

/** The same compactions are in the range, none more and none fewer, and nothing in it was marked meanwhile. */
function stillPlanned(state: SessionState, { covers, roots, entries, passedOver }: CompactionPlan): boolean {
  const inside = state.roots.filter((root) => touches(root, covers));
  return (
    inside.length === roots.length &&
    inside.every(({ id }) => roots.includes(id)) &&
    !entries.some((entry) => isPassedOver(state, entry)) &&
    passedOver.every((entry) => isPassedOver(state, entry))
  );
}

function stale(id: string): ThroughlineError {
  return new ThroughlineError(
    'compaction-stale',
    `What was to be summarised of "${id}" was compacted or marked meanwhile. Nothing was written; try again.`,
    { details: { session: id } },
  );
}
