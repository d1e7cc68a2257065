import {
  EMPTY_STATE,
  type Entry,
  foldEntry,
  type Seq,
  type SessionState,
  type Totals,
} from '../../record/index.ts';
import { lineageRanges, type Segment } from '../lineage-ranges.ts';
import { NO_TOTALS } from '../tally.ts';
import { lineageOf } from './lineage.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** The state as it was after entry `seq`: costs the marks, settings and compactions up to there, not the messages. */
export function stateAt(tables: Tables, row: SessionRow, seq: Seq): SessionState {
  if (seq === row.head) return row.state;
  const lineage = lineageOf(tables, row);
  const notes = lineageRanges(lineage, { upTo: seq }).flatMap((segment) =>
    tables.entries.read(row.id, { ...segment, limit: -1, newestFirst: false, only: 'notes' }),
  );
  // Whoever began the conversation has asked by now, and that does not change: the current state knows the words.
  const question = row.state.opening === undefined ? undefined : firstQuestion(tables, row, lineage, seq);
  const entries = question ? [...notes, question].sort((a, b) => a.seq - b.seq) : notes;
  return entries.reduce(foldEntry, EMPTY_STATE);
}

/** The running totals as they were after entry `seq`: one read. */
export function totalsAt(tables: Tables, lineage: readonly Segment<number>[], seq: Seq): Totals {
  const [segment] = lineageRanges(lineage, { after: seq - 1, upTo: seq });
  return (segment && tables.entries.sumsAt(segment.key, seq)?.totals) ?? NO_TOTALS;
}

/** Running totals only grow, so the first user message is found by halving. */
function firstQuestion(
  tables: Tables,
  row: SessionRow,
  lineage: readonly Segment<number>[],
  upTo: Seq,
): Entry | undefined {
  if (totalsAt(tables, lineage, upTo).queries === 0) return undefined;
  let low = 1;
  let high = upTo;
  // Most sessions begin with a few settings and the question, so the short way is tried first.
  for (let near = 4; near < upTo && near <= 64; near *= 4) {
    if (totalsAt(tables, lineage, near).queries === 0) continue;
    high = near;
    break;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (totalsAt(tables, lineage, middle).queries > 0) high = middle;
    else low = middle + 1;
  }
  const [segment] = lineageRanges(lineage, { after: low - 1, upTo: low });
  return tables.entries.read(row.id, { ...segment!, limit: 1, newestFirst: false, only: 'all' })[0];
}
