import type { DatabaseSync } from 'node:sqlite';
import { Role } from '../../record/index.ts';
import type { IndexTables } from '../index/tables.ts';
import type { Ranked } from './rank-messages.ts';
import { holdsDoc, holdsRow, type Scope } from './scope.ts';

/** So many ranges are read one by one; beyond, going through everything by time finds enough sooner. */
const FEW_RANGES = 50;

interface Row {
  readonly doc: number;
  readonly role: Role;
  readonly at: number;
}

/** The messages in scope by their time, newest first: what a search for nothing in particular shows. */
export function createNewestFirst(db: DatabaseSync, tables: IndexTables) {
  const byTime = db.prepare(
    'select doc, role, at from docs where at between ? and ? order by at desc, doc desc',
  );
  const within = db.prepare('select doc, role, at from docs where doc between ? and ?');

  function* candidates({ docs, ranges, since, until }: Scope): Generator<Row> {
    if (docs) {
      for (const doc of docs) {
        const row = tables.doc(doc);
        if (row) yield { doc, role: row.role, at: row.at };
      }
    } else if (ranges && ranges.ranges.length <= FEW_RANGES) {
      for (const { from, to } of ranges.ranges) yield* within.all(from, to).map(toRow);
    } else {
      for (const row of byTime.iterate(bounded(since), bounded(until))) yield toRow(row);
    }
  }

  return (scope: Scope, limit: number): Ranked[] => {
    const inScope = ({ doc, role, at }: Row) => holdsDoc(scope, doc) && holdsRow(scope, { role, at });
    const sorted = !scope.docs && !(scope.ranges && scope.ranges.ranges.length <= FEW_RANGES);
    const held = candidates(scope).filter(inScope);
    const newest = sorted
      ? held.take(limit).toArray()
      : held
          .toArray()
          .sort((a, b) => b.at - a.at || b.doc - a.doc)
          .slice(0, limit);
    return scoredByTime(newest);
  };
}

/** Only entries of the same moment are equal, and then the log decides. */
function scoredByTime(rows: readonly Row[]): Ranked[] {
  let moment = 0;
  return rows.map(({ doc, at }, index) => {
    if (index > 0 && at !== rows[index - 1]!.at) moment++;
    return { doc, score: 1 - moment / (2 * rows.length) };
  });
}

function toRow(row: Record<string, unknown>): Row {
  const { doc, role, at } = row as { doc: number; role: number; at: number };
  return { doc, role: Role.options[role]!, at };
}

function bounded(time: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, time));
}
