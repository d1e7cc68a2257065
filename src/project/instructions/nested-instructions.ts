import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { INSTRUCTION_NAMES } from './read-instructions.ts';

interface NestedInstructions {
  /** Below the folder, relative to it, in order. They hold for their own folders only, so they are named and not read. */
  readonly files: readonly string[];
  /** There were too many folders to look into all of them. */
  readonly incomplete: boolean;
}

const MOST_FOLDERS = 2000;
const DEEPEST = 12;
/** Folders of built or fetched files: nothing in them was written here. */
export const PASSED_BY: ReadonlySet<string> = new Set([
  'node_modules',
  'vendor',
  'dist',
  'build',
  'target',
  'out',
  'coverage',
  '__pycache__',
]);

export async function nestedInstructions(
  folder: string,
  { names = INSTRUCTION_NAMES, most = MOST_FOLDERS }: { names?: readonly string[]; most?: number } = {},
): Promise<NestedInstructions> {
  const files: string[] = [];
  let waiting = [{ way: '', depth: 0 }];
  let looked = 0;
  while (waiting.length > 0) {
    const next: typeof waiting = [];
    for (const { way, depth } of waiting) {
      if (looked++ >= most) return { files: files.sort(), incomplete: true };
      for (const entry of await entriesOf(path.join(folder, way))) {
        const found = way === '' ? entry.name : `${way}/${entry.name}`;
        if (way !== '' && names.includes(entry.name) && !entry.isDirectory()) files.push(found);
        if (entry.isDirectory() && depth < DEEPEST && !isPassedBy(entry.name)) {
          next.push({ way: found, depth: depth + 1 });
        }
      }
    }
    waiting = next;
  }
  return { files: files.sort(), incomplete: false };
}

function isPassedBy(name: string): boolean {
  return name.startsWith('.') || PASSED_BY.has(name);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
