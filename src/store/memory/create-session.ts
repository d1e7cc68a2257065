import { ThroughlineError } from '../../errors.ts';
import {
  canonicalSessionId,
  EMPTY_STATE,
  forkState,
  type Parent,
  type SessionId,
} from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../entry-format.ts';
import { sessionExists, sessionGone, sessionIdCollides } from '../session-errors.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntries } from './append-entries.ts';
import { stateAt, totalsAt } from './state-at.ts';
import { findSession, purgedTime, rowOf, type SessionRow, type Tables } from './tables.ts';

export function createSession(
  tables: Tables,
  session: NewSession,
  { entries, now }: { entries: readonly EncodedEntry[]; now: number },
): SessionRow {
  checkNewSession(session);
  const id = freeId(tables, session);
  const { createdAt = now } = session;
  const parent = session.parent && {
    ...session.parent,
    session: rowOf(tables, session.parent.session).id,
  };
  const born = { head: 0, createdAt, totals: NO_TOTALS, state: EMPTY_STATE };
  const row: SessionRow = {
    id,
    order: tables.created + 1,
    parent,
    createdAt,
    entries: [],
    byId: new Map(),
    tally: emptyTally({ ...born, ...(parent && inherit(tables, parent)) }),
    lease: undefined,
  };
  appendEntries(tables, row, entries, { options: {}, now });
  tables.sessions.set(id, row);
  tables.created++;
  return row;
}

/** A fork starts where its parent stood after `seq`; a resumed session starts empty. */
function inherit(tables: Tables, { session, relation, seq }: Parent) {
  const parent = rowOf(tables, session);
  if (!Number.isInteger(seq) || seq < 0 || seq > parent.tally.head) throw beyond(parent, seq);
  if (relation === 'resume') return {};
  return {
    head: seq,
    totals: totalsAt(tables, parent, seq),
    state: forkState(stateAt(tables, parent, seq)),
  };
}

/** The id as it is kept, if it may be used. */
function freeId(tables: Tables, { id: given, prefixFree = false }: NewSession): SessionId {
  if (findSession(tables, given)) throw sessionExists(given);
  const purgedAt = purgedTime(tables, given);
  if (purgedAt !== undefined) throw sessionGone(given, purgedAt);
  const id = canonicalSessionId(given);
  if (!prefixFree) return id;
  for (const other of [...tables.sessions.keys(), ...tables.purged.keys()])
    if (other.startsWith(id) || id.startsWith(other)) throw sessionIdCollides(id, other);
  return id;
}

function beyond({ id, tally: { head } }: SessionRow, seq: number): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${seq} to go on from.`,
    { details: { session: id, seq, head } },
  );
}
