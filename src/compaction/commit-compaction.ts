import { ThroughlineError } from '../errors.ts';
import type {
  Compaction,
  CompactionReason,
  Entry,
  EntryBody,
  EntryId,
  Mark,
  SessionInfo,
  SessionState,
} from '../record/index.ts';
import { livingRoots, type Session } from '../session/index.ts';
import { retryOnHeadMoved } from '../store/index.ts';
import { type CompactionPlan, isPassedOver, touches } from './plan-compaction.ts';
import type { RangeDraft } from './summarise-range.ts';

interface CommitOptions {
  readonly draft: RangeDraft;
  readonly instructions?: string;
  readonly why?: CompactionReason;
  readonly meta?: NonNullable<Compaction['meta']>;
  /** Entries in the same append, by the present state of the session. What it throws refuses the compaction. */
  readonly along?: (info: SessionInfo) => readonly EntryBody[];
}

/**
 * Writes the compaction: one entry, if the range is still as it was planned. Messages that came since are kept and come
 * after it. Compactions that it replaces are removed in the same append: a kill at any instant leaves the old frontier or
 * the new one.
 */
export async function commitCompaction(
  session: Session,
  plan: CompactionPlan,
  { draft, meta, along = () => [], ...how }: CommitOptions,
): Promise<Entry> {
  const written = toBody(plan, draft, how);
  const body = meta ? { ...written, meta: { ...written.meta, ...meta } } : written;
  return retryOnHeadMoved(async () => {
    const info = await session.refresh();
    const state = withoutReplaced(info.state, plan.replaced);
    const roots = await livingRoots(session.store, { id: info.id, state });
    if (!stillPlanned({ ...state, roots }, plan)) throw stale(session.id);
    const removed = plan.replaced.map(removedMark);
    const entries = await session.append([...removed, ...along(info), body], { expectedHead: info.head });
    return entries.at(-1)!;
  });
}

/** The state as it is once these compactions are removed. */
export function withoutReplaced(state: SessionState, replaced: readonly EntryId[]): SessionState {
  return replaced.length === 0
    ? state
    : { ...state, removed: [...state.removed, ...replaced.map((entry) => ({ entry }))] };
}

function removedMark(entry: EntryId): Mark {
  return { kind: 'mark', mark: 'removed', target: { entry } };
}

function toBody(
  { level, covers, entries, tokensBefore }: CompactionPlan,
  draft: RangeDraft,
  { instructions, why }: { instructions?: string; why?: CompactionReason },
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
    ...((draft.call || why) && { meta: { ...(draft.call && { call: draft.call }), ...(why && { why }) } }),
  };
}

/** The same compactions are in the range, none more and none fewer, and no new mark in it. */
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
    `What was to be summarised of "${id}" has changed since the summary was begun: another compaction or a mark came first. Nothing was written; try again.`,
    { details: { session: id } },
  );
}
