import { setImmediate as breathe } from 'node:timers/promises';
import { EMPTY_STATE, type Entry, equalJson, forkState, MAX_SEQ } from '../../record/index.ts';
import { blobHashes } from '../blob-hashes.ts';
import { lineageRanges } from '../lineage-ranges.ts';
import type { Problem, SweepOptions } from '../store.ts';
import { emptyTally, NO_TOTALS, type Tally, tallyEntry } from '../tally.ts';
import { lineageOf } from './append-entries.ts';
import { type EntryRow, type Sums, toEntry } from './entries-table.ts';
import { currentRow } from './hot-session.ts';
import type { SessionRow } from './sessions-table.ts';
import type { Tables } from './tables.ts';

/** One session read from its first entry to its last, and what it adds up to. */
export interface Swept {
  readonly row: SessionRow;
  readonly tally: Tally;
  readonly blobs: ReadonlySet<string>;
  readonly entries: number;
  /** Sums beside entries that are not what the log adds up to there, as they should be. */
  readonly wrongSums: readonly Sums[];
  /** What could not be read or does not follow from the entries before it. */
  readonly problems: readonly Problem[];
}

const PAGE = 500;

/** Folds every session's log again, parents first, a page at a time: memory stays flat and the event loop alive. */
export async function* sweepSessions(
  tables: Tables,
  { onProgress }: SweepOptions = {},
): AsyncGenerator<Swept> {
  const { wanted, last } = forkPoints(tables);
  const snapshots = new Map<string, Tally>();
  const total = tables.entries.count();
  let done = 0;
  for (let key = 0; ; ) {
    // One that was created since is as it should be, and may share a part that is behind us.
    const present = tables.sessions.after(key, PAGE).filter((row) => row.key <= last);
    const rows = present.map((row) => currentRow(tables, row));
    if (rows.length === 0) return;
    for (const row of rows) {
      const onPage = (entries: number) => {
        done += entries;
        onProgress?.({ done, total });
      };
      const swept = await sweepSession(tables, row, { wanted, snapshots, onPage });
      yield swept;
    }
    key = rows.at(-1)!.key;
  }
}

interface Snapshots {
  /** For each session key, the seqs that forks start from. */
  readonly wanted: ReadonlyMap<number, ReadonlySet<number>>;
  /** Tallies at those points, by `key:seq`. */
  readonly snapshots: Map<string, Tally>;
  readonly onPage: (entries: number) => void;
}

async function sweepSession(
  tables: Tables,
  row: SessionRow,
  { wanted, snapshots, onPage }: Snapshots,
): Promise<Swept> {
  const problems: Problem[] = [];
  const blobs = new Set<string>();
  const wrongSums: Sums[] = [];
  const shared = row.parent?.relation === 'fork' ? row.parent.seq : 0;
  let tally = bornTally(tables, row, snapshots);
  let entries = 0;
  for (let expected = shared + 1; ; ) {
    const page = tables.entries.rows({ key: row.key, after: expected - 1, upTo: MAX_SEQ }, PAGE);
    for (const raw of page) {
      const [seq] = raw;
      if (seq !== expected) problems.push(gap(row, expected, seq));
      const entry = readable(row, raw, problems);
      if (entry) tally = tallyEntry(tally, entry);
      else tally = { ...tally, head: seq };
      if (entry) blobHashes(entry.body, blobs);
      if (problems.length === 0) wrongSums.push(...wrongSumsAt(tables, row, tally));
      if (wanted.get(row.key)?.has(seq)) snapshots.set(`${row.key}:${seq}`, tally);
      entries++;
      expected = seq + 1;
    }
    onPage(page.length);
    if (page.length < PAGE) {
      const all = [...problems, ...wrongSumsProblem(row, wrongSums)];
      return { row, tally, blobs, entries, wrongSums, problems: all };
    }
    await breathe();
  }
}

function bornTally(tables: Tables, row: SessionRow, snapshots: Map<string, Tally>): Tally {
  const { createdAt, parent } = row;
  if (parent?.relation !== 'fork' || parent.seq === 0) {
    return emptyTally({
      head: parent?.relation === 'fork' ? parent.seq : 0,
      createdAt,
      totals: NO_TOTALS,
      state: EMPTY_STATE,
    });
  }
  const at = snapshots.get(ownerOf(tables, row, parent.seq));
  const { totals, state } = at ?? { totals: NO_TOTALS, state: EMPTY_STATE };
  return emptyTally({ head: parent.seq, createdAt, totals, state: forkState(state) });
}

/** The points that forks start from, and the youngest session there is. */
function forkPoints(tables: Tables): { wanted: Map<number, Set<number>>; last: number } {
  const wanted = new Map<number, Set<number>>();
  for (let last = 0; ; ) {
    const rows = tables.sessions.after(last, PAGE);
    for (const row of rows) {
      if (row.parent?.relation !== 'fork' || row.parent.seq === 0) continue;
      const owner = Number(ownerOf(tables, row, row.parent.seq).split(':')[0]);
      wanted.set(owner, (wanted.get(owner) ?? new Set()).add(row.parent.seq));
    }
    last = rows.at(-1)?.key ?? last;
    if (rows.length < PAGE) return { wanted, last };
  }
}

/** Which session of the lineage holds entry `seq`, as `key:seq`. */
function ownerOf(tables: Tables, row: SessionRow, seq: number): string {
  const [segment] = lineageRanges(lineageOf(tables, { ...row, head: Math.max(row.head, seq) }), {
    after: seq - 1,
    upTo: seq,
  });
  return `${segment?.key ?? 0}:${seq}`;
}

function readable(row: SessionRow, raw: EntryRow, problems: Problem[]): Entry | undefined {
  try {
    return toEntry(row.id, raw);
  } catch (error) {
    problems.push({ code: 'entry-unreadable', session: row.id, message: (error as Error).message });
    return undefined;
  }
}

/** The sums as they should be, if those beside the entry are others. */
function wrongSumsAt(tables: Tables, row: SessionRow, { state: _, ...sums }: Tally): Sums[] {
  return equalJson(tables.entries.sumsAt(row.key, sums.head), sums) ? [] : [sums];
}

function wrongSumsProblem(row: SessionRow, wrong: readonly Sums[]): Problem[] {
  if (wrong.length === 0) return [];
  const message = `The sums beside ${wrong.length} entries of session "${row.id}", from entry ${wrong[0]!.head} on, are not what its log adds up to. Making them anew puts them right.`;
  return [{ code: 'projection-differs', session: row.id, message }];
}

function gap(row: SessionRow, expected: number, found: number): Problem {
  const missing = found - expected;
  const message = `Session "${row.id}" lacks ${missing} ${missing === 1 ? 'entry' : 'entries'} before entry ${found}.`;
  return { code: 'seq-gap', session: row.id, message };
}
