import { ThroughlineError } from '../../errors.ts';
import {
  canonicalSessionId,
  EMPTY_STATE,
  foldEntry,
  forkState,
  type Parent,
  type Seq,
  type SessionId,
  type SessionState,
  type Totals,
} from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../entry-format.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import { sessionExists, sessionGone, sessionIdCollides } from '../session-errors.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntriesInMemory } from './append-entries.ts';
import { lineageOfInMemory, rowsOfInMemory, toMemoryEntry } from './read-entries.ts';
import {
  findSessionInMemory,
  type MemorySessionRow,
  type MemoryTables,
  purgedTimeInMemory,
  rowOfInMemory,
} from './tables.ts';

export function createSessionInMemory(
  tables: MemoryTables,
  session: NewSession,
  { entries, now }: { entries: readonly EncodedEntry[]; now: number },
): MemorySessionRow {
  checkNewSession(session);
  const id = freeId(tables, session);
  const { createdAt = now } = session;
  const parent = session.parent && {
    ...session.parent,
    session: rowOfInMemory(tables, session.parent.session).id,
  };
  const born = { head: 0, createdAt, totals: NO_TOTALS, state: EMPTY_STATE };
  const row: MemorySessionRow = {
    id,
    order: tables.created + 1,
    parent,
    createdAt,
    entries: [],
    byId: new Map(),
    tally: emptyTally({ ...born, ...(parent && inherit(tables, parent)) }),
    lease: undefined,
  };
  appendEntriesInMemory(tables, row, entries, { options: {}, now });
  tables.sessions.set(id, row);
  tables.created++;
  return row;
}

/** A fork starts where its parent stood after `seq`; a resumed session starts empty. */
function inherit(tables: MemoryTables, { session, relation, seq }: Parent) {
  const parent = rowOfInMemory(tables, session);
  if (!Number.isInteger(seq) || seq < 0 || seq > parent.tally.head) throw beyond(parent, seq);
  if (relation === 'resume') return {};
  return {
    head: seq,
    totals: totalsAt(tables, parent, seq),
    state: forkState(stateAt(tables, parent, seq)),
  };
}

/** The id as it is kept, if it may be used. */
function freeId(tables: MemoryTables, { id: given, prefixFree = false }: NewSession): SessionId {
  if (findSessionInMemory(tables, given)) throw sessionExists(given);
  const purgedAt = purgedTimeInMemory(tables, given);
  if (purgedAt !== undefined) throw sessionGone(given, purgedAt);
  const id = canonicalSessionId(given);
  if (!prefixFree) return id;
  for (const other of [...tables.sessions.keys(), ...tables.purged.keys()])
    if (other.startsWith(id) || id.startsWith(other)) throw sessionIdCollides(id, other);
  return id;
}

function beyond({ id, tally: { head } }: MemorySessionRow, seq: number): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${seq} to go on from.`,
    { details: { session: id, seq, head } },
  );
}

/** The state as it was after entry `seq`. */
function stateAt(tables: MemoryTables, session: MemorySessionRow, seq: Seq): SessionState {
  if (seq === session.tally.head) return session.tally.state;
  return lineageRanges(lineageOfInMemory(tables, session), { upTo: seq })
    .flatMap(rowsOfInMemory)
    .map((row) => toMemoryEntry(session, row))
    .reduce(foldEntry, EMPTY_STATE);
}

/** The running totals as they were after entry `seq`. */
function totalsAt(tables: MemoryTables, session: MemorySessionRow, seq: Seq): Totals {
  const [segment] = lineageRanges(lineageOfInMemory(tables, session), { after: seq - 1, upTo: seq });
  return (segment && rowsOfInMemory(segment)[0]?.totals) ?? NO_TOTALS;
}
