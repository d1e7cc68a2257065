import { ThroughlineError } from '../../errors.ts';
import { EMPTY_STATE, forkState, type Parent, type SessionId } from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../encode-entry.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntries } from './append-entries.ts';
import { stateAt, totalsAt } from './state-at.ts';
import { rowOf, type SessionRow, type Tables } from './tables.ts';

export function createSession(
  tables: Tables,
  session: NewSession,
  { entries, now }: { entries: readonly EncodedEntry[]; now: number },
): SessionRow {
  const { id, parent, createdAt = now } = session;
  checkNewSession(session);
  if (tables.sessions.has(id)) throw taken(id);
  const born = { head: 0, createdAt, totals: NO_TOTALS, state: EMPTY_STATE };
  const row: SessionRow = {
    id,
    order: tables.created + 1,
    parent: parent && { ...parent },
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

function taken(id: SessionId): ThroughlineError {
  const message = `There is a session "${id}" already. Open it, or choose another id.`;
  return new ThroughlineError('session-exists', message, { details: { session: id } });
}

function beyond({ id, tally: { head } }: SessionRow, seq: number): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${seq} to go on from.`,
    { details: { session: id, seq, head } },
  );
}
