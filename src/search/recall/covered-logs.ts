import {
  cutRanges,
  type Entry,
  isHidden,
  isMarked,
  type Markable,
  type SeqRange,
  type SessionId,
  type SessionInfo,
  type Target,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { readForebears } from './forebears.ts';

/** A log, and the parts of it that only a summary stands for. */
export interface CoveredLog {
  readonly session: SessionId;
  /** The sessions that hold its entries: itself, and those it was forked from. */
  readonly owners: readonly SessionId[];
  /** Oldest first. */
  readonly ranges: readonly SeqRange[];
  /** Entries that are not to be shown, or are shown anyway. */
  readonly closed: readonly Target[];
  /** The size of these parts, about. */
  readonly tokens: number;
}

/**
 * Where recall looks: into what the collapsed compactions on the frontier cover and, where a restoration stands on it,
 * into the session that was resumed; never into one further back, which no summary on the frontier is about.
 */
export async function coveredLogs(
  store: Store,
  info: SessionInfo,
  frontier: readonly Entry[],
): Promise<CoveredLog[]> {
  const { pinned, excluded, removed } = info.state;
  const { sessions, resumedFrom } = await readForebears(store, info);
  const shown = frontier.filter((entry) => !isHidden(info.state, entry));
  const covered = shown.flatMap(({ body }) => (body.kind === 'compaction' ? [body.covers] : []));
  // A pin that is covered is in the request word for word.
  const logs = [
    logOf(info.id, sessions, {
      covered,
      closed: [...pinned, ...excluded, ...removed],
      tokens: info.totals.tokens - bareTokens(frontier),
    }),
  ];
  // A session that was resumed before anything was written has nothing to look into.
  if (resumedFrom && resumedFrom.upTo > 0 && shown.some(({ body }) => body.kind === 'restoration')) {
    const { session, upTo } = resumedFrom;
    const { sessions: owners } = await readForebears(store, session);
    logs.push(
      logOf(session.id, owners, {
        covered: [{ from: 1, to: upTo }],
        closed: [...session.state.excluded, ...session.state.removed],
        // A parent that went on after it was resumed has grown since.
        tokens: (session.totals.tokens * upTo) / Math.max(upTo, session.head),
      }),
    );
  }
  return logs.filter(({ ranges }) => ranges.length > 0);
}

/** True if an entry of the log may be shown. */
export function isOpen({ ranges, closed }: CoveredLog, entry: Markable): boolean {
  return ranges.some(({ from, to }) => from <= entry.seq && entry.seq <= to) && !isMarked(closed, entry);
}

function logOf(
  session: SessionId,
  owners: readonly SessionId[],
  { covered, closed, tokens }: Pick<CoveredLog, 'closed' | 'tokens'> & { covered: readonly SeqRange[] },
): CoveredLog {
  const holes = closed.flatMap((target) => ('entry' in target ? [] : [target]));
  return { session, owners, ranges: cutRanges(covered, holes), closed, tokens };
}

function bareTokens(frontier: readonly Entry[]): number {
  return frontier.reduce((sum, { body, tokens }) => (body.kind === 'message' ? sum + tokens : sum), 0);
}
