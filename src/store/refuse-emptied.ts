import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ThroughlineError } from '../errors.ts';
import { filesBeside } from './files-beside.ts';

/** A file that was made and never written has one time for its birth and its last change. */
const MADE_WITHIN_MS = 20;

/**
 * Throws `store-damaged` for an empty file that was a store before. SQLite would take it for a new database and delete
 * the log beside it, which may hold everything that was stored.
 */
export function refuseEmptied(location: string): void {
  const signs = signsOfStore(location);
  if (signs.length === 0) return;
  const hasLog = signs.some((sign) => sign.includes('-wal'));
  const log = hasLog ? ' What the log beside it holds can be saved into a new store.' : '';
  throw new ThroughlineError(
    'store-damaged',
    `The store ${location} is empty (0 bytes), but there was a store: ${signs.join(', ')}. Nothing was changed.${log} Put a backup in its place, or delete the empty file to begin a new store.`,
    { details: { location, mend: hasLog ? 'salvage' : 'backup' } },
  );
}

/** True for a file with a store in it, and for one that had a store before it was emptied: opening that says so. */
export function storeExists(location: string): boolean {
  const size = statSync(location, { throwIfNoEntry: false })?.size;
  return size !== undefined && (size > 0 || signsOfStore(location).length > 0);
}

function signsOfStore(location: string): string[] {
  const found = emptyFile(location);
  if (!found) return [];
  const signs = filesBeside(realpathSync(location)).map((file) => `${path.basename(file)} is beside it`);
  if (wasWritten(found)) signs.push('the file was written after it was made');
  // Another process may be making the store now: the files beside it come after its first bytes.
  return emptyFile(location) ? signs : [];
}

function emptyFile(location: string): Stats | undefined {
  // A file that cannot be looked at is for the opening to explain.
  const found = existsSync(location) ? statSync(location) : undefined;
  return found?.isFile() && found.size === 0 ? found : undefined;
}

/** Emptying a file changes when it was last written, and `touch` also when it was last read. */
function wasWritten({ birthtimeMs, mtimeMs, atimeMs }: Stats): boolean {
  return mtimeMs - birthtimeMs > MADE_WITHIN_MS && atimeMs !== mtimeMs;
}
