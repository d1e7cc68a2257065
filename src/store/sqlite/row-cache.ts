import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../record/index.ts';
import type { Lease } from '../store.ts';
import type { SessionRow } from './sessions-table.ts';

/** Everything an append has to know about the session before it writes. */
export interface KnownRow {
  readonly row: SessionRow;
  readonly lease: Lease | undefined;
  readonly hot: boolean;
}

const MOST = 1000;

/**
 * What this connection knows of the sessions it writes to. Good for as long as no other connection has committed and
 * nothing of its own was undone, which SQLite tells by a number; so it is asked first in every transaction.
 */
export function createRowCache(db: DatabaseSync) {
  const dataVersion = db.prepare('pragma data_version', { returnArrays: true });
  const rows = new Map<SessionId, KnownRow>();
  let seen: unknown;

  return {
    /** Call first in every transaction. */
    check(): void {
      const [version] = dataVersion.get() as unknown as [number];
      if (version !== seen) rows.clear();
      seen = version;
    },
    /** Another number whenever another connection has committed. */
    version: () => seen,
    get: (id: SessionId) => rows.get(id),
    set(id: SessionId, known: KnownRow): void {
      if (rows.size >= MOST) rows.clear();
      rows.set(id, known);
    },
    clear: () => rows.clear(),
  };
}

export type RowCache = ReturnType<typeof createRowCache>;
