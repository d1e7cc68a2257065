import { toStoreError } from '../../driver-error.ts';
import type { Store, SweepOptions } from '../../store.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { type FoundRow, findSalvagedRows } from './find-rows.ts';
import {
  countProgress,
  createLossList,
  type LossList,
  type Progress,
  reportLosses,
  type Unreadable,
} from './losses.ts';
import { makeTarget } from './make-target.ts';
import { openSalvageSource, type SalvageSource } from './open-source.ts';
import { planSessions } from './plan-sessions.ts';
import { readDirectory, readEntryAt } from './read-directory.ts';
import { readSchema, type Schema } from './table-shapes.ts';
import { writeStore } from './write-store.ts';

/** The content of the new store, and the losses. */
export interface SalvageReport {
  sessions: number;
  /** Without the placeholders for lost ones. */
  entries: number;
  blobs: number;
  unreadable: Unreadable[];
  /** Bytes of pages and rows that could not be read. Pages that held only an index are among them. */
  bytesLost: number;
}

/**
 * Saves everything that can still be read of a damaged store into a new one. The damaged file and its log are read as
 * bytes, page by page, and never changed; `targetFile` must not exist, and does not if this fails.
 */
export async function salvageStore(
  damagedFile: string,
  targetFile: string,
  { onProgress }: SweepOptions = {},
): Promise<SalvageReport> {
  const source = openSalvageSource(damagedFile);
  try {
    const progress = countProgress(source.pageCount, onProgress);
    return await makeTarget(targetFile, (file) => fillStore(source, file, progress));
  } catch (error) {
    throw toStoreError(error, targetFile);
  } finally {
    source.close();
  }
}

async function fillStore(source: SalvageSource, file: string, progress: Progress): Promise<SalvageReport> {
  const schema = readSchema();
  const found = await findSalvagedRows(source, schema, { onProgress: progress.phase('find') });
  const directory = readDirectory(source, schema);
  const damaged = groupDamaged(found);
  const plans = planSessions(found, directory, {
    damaged,
    room: roomFor(source, found),
    same: (a, b) => sameEntry(source, schema, [a.place, b.place]),
  });
  const losses = createLossList();
  const onProgress = progress.phase('write');
  await writeStore(file, { source, schema, found, plans, damaged, losses, onProgress });
  reportLosses(losses, { found, plans, damaged, directory });
  const store = await openSqliteStore(file, { durability: 'normal' });
  try {
    return await finish(store, { losses, found, progress });
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/** The new store has the last word on its content. */
async function finish(
  store: Store,
  { losses, found, progress }: { losses: LossList; found: FoundRow; progress: Progress },
): Promise<SalvageReport> {
  await store.rebuild({ onProgress: progress.sweep('rebuild') });
  const { stored, entries, blobs, problems } = await store.verify({ onProgress: progress.sweep('verify') });
  for (const { session, message } of problems) {
    losses.add({ ...(session !== undefined && { session }), reason: message });
  }
  if (stored === 0) losses.add({ reason: 'nothing in this file is part of a Throughline store' });
  progress.phase('verify')(1);
  return {
    sessions: stored,
    entries: entries - losses.entries(),
    blobs,
    unreadable: losses.list,
    bytesLost: found.lost.bytes,
  };
}

function groupDamaged({ damagedEntries }: FoundRow): Map<number, Map<number, string>> {
  const damaged = new Map<number, Map<number, string>>();
  for (const { key, seq, reason } of damagedEntries) {
    const session = damaged.get(key) ?? new Map<number, string>();
    damaged.set(key, session.set(seq, reason));
  }
  return damaged;
}

const SMALLEST_ROW = 64;
const ALWAYS_POSSIBLE = 4096;

/** How many entries can be missing: as many as fit into the lost part, and some for a log that was deleted. */
function roomFor({ pageSize }: SalvageSource, { lost }: FoundRow): number {
  return ALWAYS_POSSIBLE + Math.floor((lost.bytes + lost.pages.length * pageSize) / SMALLEST_ROW);
}

function sameEntry(source: SalvageSource, schema: Schema, places: readonly [number, number]): boolean {
  const [a, b] = places.map((place) => readEntryAt(source, schema, place));
  return a !== undefined && b !== undefined && a.id === b.id && a.crc === b.crc;
}
