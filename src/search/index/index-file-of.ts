import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { indexStem, type Store } from '../../store/index.ts';

/**
 * A store in a file has its index beside it; any other has it in memory, unless an option names a file. Another embedder than
 * the embedded one has a separate file: two programs that embed differently must not empty each other's index.
 */
export function indexFileOf({ facts }: Store, embedder?: string): string {
  if (facts.backend !== 'sqlite' || facts.readOnly !== undefined) return ':memory:';
  return `${indexStem(facts.location)}${embedder === undefined ? '' : `-${slug(embedder)}`}.db`;
}

/** True if the index of the embedded word table is in a file beside the store. */
export function hasIndexFile(store: Store): boolean {
  const file = indexFileOf(store);
  return file !== ':memory:' && existsSync(file);
}

/** Every file beside the store that may hold an index of it, damaged ones included. */
export function indexFilesBeside({ facts }: Store): { indexes: string[]; damaged: string[] } {
  if (facts.backend !== 'sqlite') return { indexes: [], damaged: [] };
  const folder = path.dirname(facts.location);
  const start = path.basename(indexStem(facts.location));
  const files = readdirSync(folder).filter((name) => name.startsWith(start));
  const ending = (end: string) =>
    files.filter((name) => name.endsWith(end)).map((name) => path.join(folder, name));
  return { indexes: ending('.db'), damaged: ending('.db.damaged') };
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
