import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../errors.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';

/** Looking at the file costs more than a commit that does not wait for the disk may pay each time. */
const LOOK_EVERY_MS = 50;

export interface WriteGuardOptions {
  readonly location: string;
  /** A commit waits for the disk: then looking at the file each time costs next to nothing. */
  readonly waitsForDisk: boolean;
  /** Changes whenever another connection has committed. */
  readonly version: () => unknown;
}

/**
 * Called first in every transaction that writes. What another process does to the file may end our right to write: a
 * newer version has rearranged it, or it is no longer at its place, and what we wrote would vanish with this process.
 */
export function createWriteGuard(
  db: DatabaseSync,
  { location, waitsForDisk, version }: WriteGuardOptions,
): () => void {
  const opened = placeOf(location);
  let log: string | undefined;
  let sound: unknown;
  let lookAgain = 0;

  return () => {
    if (version() !== sound) {
      refuseNewer(db, location);
      sound = version();
    }
    const now = waitsForDisk ? 0 : performance.now();
    if (now < lookAgain) return;
    // The log beside it is there once a transaction has begun, and holds what was written last.
    log ??= placeOf(`${location}-wal`);
    if (placeOf(location) !== opened || placeOf(`${location}-wal`) !== log) throw gone(location);
    if (!waitsForDisk) lookAgain = now + LOOK_EVERY_MS;
  };
}

function placeOf(location: string): string | undefined {
  const found = statSync(location, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function refuseNewer(db: DatabaseSync, location: string): void {
  const version = schemaVersion(db);
  if (version <= SCHEMA_VERSION) return;
  throw new ThroughlineError(
    'store-unwritable',
    `Nothing was written to ${location}: a newer version of Throughline has taken it over (store version ${version}, this one writes ${SCHEMA_VERSION}). Upgrade, then open it again.`,
    { details: { location } },
  );
}

function gone(location: string): ThroughlineError {
  return new ThroughlineError(
    'store-unwritable',
    `Nothing was written to ${location}: the file was deleted, moved or replaced while it was open. Put it back, or open the store again.`,
    { details: { location } },
  );
}
