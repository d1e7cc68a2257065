import { canonicalSessionId, type SessionId } from '../../record/index.ts';
import type { Segment } from '../lineage-ranges.ts';
import { sessionGone, sessionNotFound } from '../session-errors.ts';
import { currentRow } from './hot-session.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** The sessions whose entries this one sees, oldest first: its forebears up to where each was forked, and itself. */
export function lineageOf({ sessions }: Tables, row: SessionRow): Segment<number>[] {
  const segments: Segment<number>[] = [];
  let upTo = row.head;
  for (let current = row; ; ) {
    const parent = current.parent?.relation === 'fork' ? current.parent : undefined;
    segments.unshift({ key: current.key, after: parent?.seq ?? 0, upTo });
    if (!parent) return segments;
    upTo = Math.min(upTo, parent.seq);
    const next = sessions.byId(parent.session);
    if (!next)
      throw new Error(`bug: session "${current.id}" shares entries of "${parent.session}", which is gone`);
    current = next;
  }
}

/** Inside a transaction. */
export function rowOf(tables: Tables, id: SessionId): SessionRow {
  const known = tables.cache.get(id)?.row;
  if (known) return known;
  const row = tables.sessions.byId(id);
  if (row) return currentRow(tables, row);
  const purgedAt = purgedTime(tables, id);
  throw purgedAt === undefined ? sessionNotFound(id) : sessionGone(id, purgedAt);
}

/** When the session with this id was purged, if it was. */
export function purgedTime({ purged }: Tables, id: SessionId): number | undefined {
  return purged.at(id) ?? purged.at(canonicalSessionId(id));
}
