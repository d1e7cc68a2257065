import type { DatabaseSync } from 'node:sqlite';
import { Role } from '../../record/index.ts';
import type { Ranked } from './rank-messages.ts';
import { holdsDoc, holdsRow, type Scope } from './scope.ts';

/** The messages in scope by their time, newest first: what a search for nothing in particular shows. */
export function createNewestFirst(db: DatabaseSync) {
  const newest = db.prepare(
    'select doc, role, at from docs where at between ? and ? order by at desc, doc desc',
  );
  return (scope: Scope, limit: number): Ranked[] => {
    const found: Ranked[] = [];
    const bound = (time: number) =>
      Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, time));
    for (const row of newest.iterate(bound(scope.since), bound(scope.until))) {
      const { doc, role, at } = row as { doc: number; role: number; at: number };
      if (!holdsDoc(scope, doc) || !holdsRow(scope, { role: Role.options[role]!, at })) continue;
      found.push({ doc, score: 1 });
      if (found.length >= limit) break;
    }
    return found;
  };
}
