import { EMPTY_STATE, foldEntry, type Seq, type SessionState, type Totals } from '../../record/index.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import { NO_TOTALS } from '../tally.ts';
import { lineageOf } from './lineage.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

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
