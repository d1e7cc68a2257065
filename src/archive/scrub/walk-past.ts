import { FOLDER, pathOfRecord, recordPath } from '../archive-record.ts';
import type { PastChange, PastCommit } from './read-history.ts';

/** An archived file and its record, as they were at one moment of the past. */
export interface Pair {
  readonly path: string;
  readonly data: string | undefined;
  readonly record: string | undefined;
}

export interface Step {
  readonly commit: PastCommit;
  /** Archived files that it has changed, or their records. */
  readonly pairs: readonly Pair[];
  /** Everything else that it has changed. */
  readonly others: readonly PastChange[];
}

/** The commits of a branch with what lay there after each: a record may come in a later commit than what it is about. */
export function* walkPast(past: readonly PastCommit[]): Generator<Step> {
  const there = new Map<string, string | undefined>();
  for (const commit of past) {
    const touched = new Set<string>();
    const others: PastChange[] = [];
    for (const change of commit.changes) {
      there.set(change.path, change.blob);
      const path = change.path.startsWith(FOLDER) ? change.path : pathOfRecord(change.path);
      if (path === undefined) others.push(change);
      else touched.add(path);
    }
    const pairs = [...touched].map((path) => ({
      path,
      data: there.get(path),
      record: there.get(recordPath(path)),
    }));
    yield { commit, pairs, others };
  }
}
