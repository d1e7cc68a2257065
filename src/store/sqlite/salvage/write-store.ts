import { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../../record/index.ts';
import { migrate } from '../migrate.ts';
import { openTables } from '../tables.ts';
import type { Found } from './find-rows.ts';
import type { LossList } from './loss-list.ts';
import type { Source } from './open-source.ts';
import { type DamagedBySession, freeSalvageId, type SessionPlan } from './plan-sessions.ts';
import { readBlobAt, readEntryAt } from './read-place.ts';
import type { Schema } from './table-shapes.ts';
import { writeBlobs } from './write-blobs.ts';
import { writeSessions } from './write-sessions.ts';

export interface Writing {
  readonly source: Source;
  readonly schema: Schema;
  readonly found: Found;
  readonly plans: readonly SessionPlan[];
  readonly damaged: DamagedBySession;
  readonly losses: LossList;
  readonly onProgress: (fraction: number) => void;
}

/** Writes found rows, in order, reading each row from the damaged file when its turn comes. */
export async function writeStore(
  file: string,
  { source, schema, found, plans, damaged, losses, onProgress }: Writing,
): Promise<void> {
  const db = new DatabaseSync(file);
  try {
    // Nothing here has to survive a crash: the file gets its name only when it is complete.
    db.exec('pragma journal_mode = wal; pragma synchronous = off');
    migrate(db);
    const tables = openTables(db);
    const total = plans.reduce((sum, { after, upTo }) => sum + upTo - after, 0);
    let done = 0;
    const users = await writeSessions(db, tables, plans, {
      readEntry: (place) => readEntryAt(source, schema, place),
      damaged,
      losses,
      onWritten(entries) {
        done += entries;
        onProgress(total === 0 ? 1 : done / total);
      },
    });
    await writeBlobs(db, tables, found.blobs, {
      readBlob: ({ place }) => readBlobAt(source, schema, place),
      users,
      unclaimedId: unclaimedId(plans, found),
      now: Date.now(),
    });
    const saved = new Set(plans.map(({ id }) => id));
    for (const [id, at] of found.purged) if (!saved.has(id)) tables.purged.add(id, at);
  } finally {
    db.close();
  }
}

function unclaimedId(plans: readonly SessionPlan[], { purged }: Found): SessionId {
  return freeSalvageId('salvaged_blobs', [...plans.map(({ id }) => id), ...purged.keys()]);
}
