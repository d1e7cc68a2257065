import type { DatabaseSync } from 'node:sqlite';
import { type BlobsTable, blobsTable } from './blobs-table.ts';
import { type EntriesTable, entriesTable } from './entries-table.ts';
import { type HotTable, hotTable } from './hot-session.ts';
import { type LeasesTable, leasesTable } from './leases-table.ts';
import { type PurgedTable, purgedTable } from './purged-table.ts';
import { createRowCache, type RowCache, type SessionsTable, sessionsTable } from './sessions-table.ts';
import { type TagsTable, tagsTable } from './tags-table.ts';

export interface Tables {
  readonly sessions: SessionsTable;
  readonly entries: EntriesTable;
  readonly hot: HotTable;
  readonly blobs: BlobsTable;
  readonly leases: LeasesTable;
  readonly tags: TagsTable;
  readonly purged: PurgedTable;
  readonly cache: RowCache;
}

export function openTables(db: DatabaseSync): Tables {
  return {
    sessions: sessionsTable(db),
    entries: entriesTable(db),
    hot: hotTable(db),
    blobs: blobsTable(db),
    leases: leasesTable(db),
    tags: tagsTable(db),
    purged: purgedTable(db),
    cache: createRowCache(db),
  };
}
