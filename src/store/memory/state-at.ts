import { EMPTY_STATE, foldEntry, type Seq, type SessionState, type Totals } from '../../record/index.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import { NO_TOTALS } from '../tally.ts';
import { lineageOf, rowsOf, toEntry } from './read-entries.ts';
import type { SessionRow, Tables } from './tables.ts';

/** The state as it was after entry `seq`. */
export function stateAt(tables: Tables, session: SessionRow, seq: Seq): SessionState {
  if (seq === session.tally.head) return session.tally.state;
  return lineageRanges(lineageOf(tables, session), { upTo: seq })
    .flatMap(rowsOf)
    .map((row) => toEntry(session, row))
    .reduce(foldEntry, EMPTY_STATE);
}

/** The running totals as they were after entry `seq`. */
export function totalsAt(tables: Tables, session: SessionRow, seq: Seq): Totals {
  const [segment] = lineageRanges(lineageOf(tables, session), { after: seq - 1, upTo: seq });
  return (segment && rowsOf(segment)[0]?.totals) ?? NO_TOTALS;
}
