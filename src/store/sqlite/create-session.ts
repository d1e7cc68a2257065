import { ThroughlineError } from '../../errors.ts';
import {
  canonicalSessionId,
  EMPTY_STATE,
  foldEntry,
  forkState,
  type Parent,
  type Seq,
  type SessionId,
  type SessionInfo,
  type SessionState,
  type Totals,
} from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../entry-format.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import { sessionExists, sessionGone, sessionIdCollides } from '../session-errors.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntries, findRow, lineageOf, purgedTime, rowOf } from './append-entries.ts';
import { type SessionRow, withoutKey } from './sessions-table.ts';
import type { Tables } from './tables.ts';

export function createSessionRows(
  tables: Tables,
  session: NewSession,
  { entries, now }: { entries: readonly EncodedEntry[]; now: number },
): SessionInfo {
  checkNewSession(session);
  const id = freeId(tables, session);
  const born = { head: 0, createdAt: session.createdAt ?? now, totals: NO_TOTALS, state: EMPTY_STATE };
  const above = session.parent && rowOf(tables, session.parent.session);
  const parent = session.parent && above && { ...session.parent, session: above.id };
  if (parent) Object.assign(born, inherit(tables, above, parent));
  const tally = emptyTally(born);
  const key = tables.sessions.insert({ id, parent, createdAt: born.createdAt }, tally);
  if (key === undefined) throw sessionExists(id);
  if (born.state.tags.length > 0) tables.tags.replace(key, born.state.tags);
  if (entries.length === 0) return { id, createdAt: born.createdAt, ...(parent && { parent }), ...tally };
  appendEntries(tables, id, entries, { options: {}, now });
  return withoutKey(rowOf(tables, id));
}

/** The id as it is kept, if it may be used. */
function freeId(tables: Tables, { id: given, prefixFree = false }: NewSession): SessionId {
  if (findRow(tables, given)) throw sessionExists(given);
  const purgedAt = purgedTime(tables, given);
  if (purgedAt !== undefined) throw sessionGone(given, purgedAt);
  const id = canonicalSessionId(given);
  const neighbour = prefixFree ? findNeighbour(tables, id) : undefined;
  if (neighbour !== undefined) throw sessionIdCollides(id, neighbour);
  return id;
}

/** A fork starts where its parent stood after `seq`; a resumed session starts empty. */
function inherit(tables: Tables, parent: SessionRow, { session, relation, seq }: Parent) {
  if (!Number.isInteger(seq) || seq < 0 || seq > parent.head) {
    throw new ThroughlineError(
      'entry-not-found',
      `Session "${session}" has ${parent.head} entries, so there is no entry ${seq} to go on from.`,
      { details: { session, seq, head: parent.head } },
    );
  }
  if (relation === 'resume') return {};
  if (seq === parent.head) return { head: seq, totals: parent.totals, state: forkState(parent.state) };
  const { totals, state } = standAt(tables, parent, seq);
  return { head: seq, totals, state: forkState(state) };
}

/** How a session stood after entry `seq`: costs the marks, settings and compactions up to there, not the messages. */
export function standAt(tables: Tables, row: SessionRow, seq: Seq): { totals: Totals; state: SessionState } {
  const lineage = lineageOf(tables, row);
  const [last] = lineageRanges(lineage, { after: seq - 1, upTo: seq });
  const totals = (last && tables.entries.sumsAt(last.key, seq)?.totals) ?? NO_TOTALS;
  const notes = lineageRanges(lineage, { upTo: seq }).flatMap((segment) =>
    tables.entries.read(row.id, { ...segment, limit: -1, newestFirst: false, only: 'notes' }),
  );
  const state = notes.reduce(foldEntry, EMPTY_STATE);
  // The first question does not change, so once there is one, the current state knows the words.
  const { opening } = row.state;
  return { totals, state: opening !== undefined && totals.queries > 0 ? { ...state, opening } : state };
}

/** An id, of a session or of a purged one, that starts with `id` or that `id` starts with. Costs a few index look-ups. */
function findNeighbour({ sessions, purged }: Tables, id: SessionId): SessionId | undefined {
  for (const table of [sessions, purged]) {
    const longer = table.idFrom(id);
    if (longer?.startsWith(id)) return longer;
    // Ids sort after their own starts. So of all starts of `id`, the last id before it has every one that is stored.
    for (let start = id; start !== ''; ) {
      const before = table.idUpTo(start);
      if (before === undefined) break;
      if (id.startsWith(before)) return before;
      start = commonStart(start, before);
    }
  }
  return undefined;
}

/** The longest text that both start with. */
function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
