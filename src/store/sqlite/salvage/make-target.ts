import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ThroughlineError } from '../../../errors.ts';

/** SQLite keeps files beside a database; a stray one from before would be taken for part of the new one. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Makes a new file, readable by its owner alone. It gets its name only when it is complete and on the disk, so that a
 * half-made one is never mistaken for what could be saved.
 */
export async function makeTarget<T>(target: string, fill: (file: string) => Promise<T>): Promise<T> {
  const location = path.resolve(target);
  refuseExisting(location);
  const unfinished = `${location}.unfinished-${randomUUID().slice(0, 8)}`;
  try {
    create(unfinished, location);
    const result = await fill(unfinished);
    if (existsSync(`${unfinished}-wal`)) throw new Error(`bug: ${unfinished} was not closed`);
    sync(unfinished, 'r+');
    refuseExisting(location);
    renameSync(unfinished, location);
    syncFolder(path.dirname(location));
    return result;
  } finally {
    for (const companion of COMPANIONS) rmSync(unfinished + companion, { force: true });
  }
}

function refuseExisting(location: string): void {
  const existing = COMPANIONS.map((companion) => location + companion).find((file) => existsSync(file));
  if (existing === undefined) return;
  throw new ThroughlineError(
    'usage',
    `${existing} is there already. Salvaging never overwrites a file: choose another name, or move that one away.`,
    { details: { location: existing } },
  );
}

function create(file: string, location: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    throw new ThroughlineError(
      'store-unwritable',
      `No store can be made at ${location}: ${(cause as Error).message}. Choose another place for what is salvaged.`,
      { cause, details: { location } },
    );
  }
}

function sync(file: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(file, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The name has to be on the disk too. Some systems cannot open a folder; those keep names safe already. */
function syncFolder(folder: string): void {
  try {
    sync(folder, 'r');
  } catch {}
}
