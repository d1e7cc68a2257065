import { renameSync, rmSync, statSync } from 'node:fs';

/**
 * Puts a damaged index out of the way, so that a new one can be made in its place. The newest damaged one is kept for
 * inspection; purging a session deletes it.
 */
export function moveAside(file: string): void {
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  try {
    renameSync(file, damagedName(file));
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function damagedName(file: string): string {
  return `${file}.damaged`;
}

/** Tells a file from another one that was put in its place. */
export function fileIdentity(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : 'none';
}
