import { ThroughlineError } from '../../errors.ts';
import {
  canonicalSessionId,
  EMPTY_STATE,
  forkState,
  type Parent,
  type SessionId,
  type SessionInfo,
} from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../entry-format.ts';
import { sessionExists, sessionGone, sessionIdCollides } from '../session-errors.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntries } from './append-entries.ts';
import { findNeighbour } from './find-neighbour.ts';
import { findRow, purgedTime, rowOf } from './lineage.ts';
import { type SessionRow, withoutKey } from './sessions-table.ts';
import { standAt } from './stand-at.ts';
import type { Tables } from './tables.ts';

export function createSession(
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
