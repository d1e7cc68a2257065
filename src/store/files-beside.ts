import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** How the names of a store's search indexes begin. */
export function indexStem(location: string): string {
  return `${location.replace(/\.db$/, '')}.index`;
}

/** The files beside a store that belong to it: SQLite's log and its shared memory, and the search indexes. */
export function filesBeside(location: string): string[] {
  const log = [`${location}-wal`, `${location}-shm`].filter((file) => existsSync(file));
  return [...log, ...indexesBeside(location)];
}

function indexesBeside(location: string): string[] {
  const folder = path.dirname(location);
  const start = path.basename(indexStem(location));
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(start) && /\.db(-wal|-shm|\.damaged)?$/.test(name))
      .map((name) => path.join(folder, name));
  } catch {
    // A folder may be open to enter and closed to list.
    return [];
  }
}
