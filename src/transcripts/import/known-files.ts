import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { FoundFile } from './find-files.ts';
import type { ImportReport } from './report.ts';

// Files that were imported before and have not changed need not be read again. Only a memory aid: without it every file is
// read again, and adds nothing.

const Known = z.record(
  z.string(),
  z.looseObject({
    size: z.number(),
    mtimeMs: z.number(),
    reports: z.array(z.looseObject({ id: z.string() })),
  }),
);
type Known = Record<string, { size: number; mtimeMs: number; reports: readonly ImportReport[] }>;

export interface KnownFiles {
  /** What the last import of the file found, if the file is still the same. */
  find(file: FoundFile): readonly ImportReport[] | undefined;
  keep(file: FoundFile, reports: readonly ImportReport[]): void;
  save(): void;
}

/** `memory` is where it is kept between two imports; without one it is forgotten. */
export function openKnownFiles(memory?: string): KnownFiles {
  const known = memory === undefined ? {} : read(memory);
  let changed = false;
  return {
    find({ path, size, mtimeMs }) {
      const before = known[path];
      return before && before.size === size && before.mtimeMs === mtimeMs ? before.reports : undefined;
    },
    keep({ path, size, mtimeMs }, reports) {
      known[path] = { size, mtimeMs, reports };
      changed = true;
    },
    save() {
      if (memory === undefined || !changed) return;
      const temporary = `${memory}.${randomBytes(6).toString('hex')}`;
      try {
        writeFileSync(temporary, JSON.stringify(known), { mode: 0o600, flag: 'wx' });
        renameSync(temporary, memory);
        changed = false;
      } catch {
        rmSync(temporary, { force: true });
      }
    },
  };
}

function read(memory: string): Known {
  try {
    return Known.parse(JSON.parse(readFileSync(memory, 'utf8'))) as unknown as Known;
  } catch {
    return {};
  }
}
