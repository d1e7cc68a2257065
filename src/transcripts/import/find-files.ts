import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Named by the person, not met in a folder: then it is an error if it is no transcript. */
  readonly named: boolean;
}

const PASSED_BY = new Set(['.git', 'node_modules']);
/** Endings lie, but not so much that every file of a folder need be opened. */
const WORTH_OPENING = /(?:\.(?:jsonl?|ndjson|md|markdown|txt|log|db|sqlite3?)|^[^.]+)$/i;

/** Every file that may be a transcript: the ones named, and all below the folders named, in a stable order. */
export async function* findFiles(paths: readonly string[]): AsyncGenerator<FoundFile> {
  for (const one of paths) {
    const { size, mtimeMs, isFolder } = await look(one);
    if (!isFolder) yield { path: path.resolve(one), size, mtimeMs, named: true };
    else yield* filesBelow(path.resolve(one));
  }
}

async function look(file: string): Promise<{ size: number; mtimeMs: number; isFolder: boolean }> {
  const found = await stat(file);
  return { size: found.size, mtimeMs: found.mtimeMs, isFolder: found.isDirectory() };
}

async function* filesBelow(folder: string): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!PASSED_BY.has(entry.name)) yield* filesBelow(file);
    } else if (entry.isFile() && WORTH_OPENING.test(entry.name)) {
      // It may be gone by now; then there is nothing to import.
      const found = await look(file).catch(() => undefined);
      if (found && found.size > 0)
        yield { path: file, size: found.size, mtimeMs: found.mtimeMs, named: false };
    }
  }
}
