import type { ArchiveBranch, Look } from './archive-branch.ts';
import { type ArchiveRecord, FOLDER, readRecords, sha256 } from './archive-record.ts';

export interface Choice {
  readonly path: string;
  /** `known`: it is there, or is the beginning of what is. `grown`: what is there is its beginning, and is replaced by it. */
  readonly how: 'new' | 'grown' | 'known';
}

/**
 * Where a file goes. Versions of which one is the beginning of the other have one place; a file that was rewritten gets
 * another one beside it, so everything that was ever archived can be had from the newest commit.
 */
export async function choosePath(
  branch: ArchiveBranch,
  look: Look,
  { record, stored }: { record: ArchiveRecord; stored: Uint8Array },
): Promise<Choice> {
  for (let n = 1; ; n++) {
    const path = FOLDER + numbered(fileName(record.name), n);
    const file = look.files.get(path);
    if (!file) return { path, how: 'new' };
    const there = (await readRecords(branch, look, [path])).get(path);
    if (there) {
      const same = there.sha256 === record.sha256 && there.stored.sha256 === record.stored.sha256;
      if (same) return { path, how: 'known' };
      if (holds(record, there, stored)) return { path, how: 'grown' };
      if (there.stored.bytes >= record.stored.bytes) {
        const [more] = await branch.read([file.id]);
        if (holds(there, record, more!)) return { path, how: 'known' };
      }
    } else {
      // Without a record it was left there by somebody who did not get further.
      const [left] = await branch.read([file.id]);
      if (left && Buffer.from(stored).subarray(0, left.length).equals(left)) return { path, how: 'grown' };
    }
  }
}

/** Whether the older version is in the newer one. A log only grows, so more lines of it hold all that were there. */
function holds(newer: ArchiveRecord, older: ArchiveRecord, stored: Uint8Array): boolean {
  if (newer.kind !== older.kind || newer.stored.bytes < older.stored.bytes) return false;
  if (newer.kind === 'session') return newer.lines >= older.lines && newer.secrets >= older.secrets;
  return sha256(stored.subarray(0, older.stored.bytes)) === older.stored.sha256;
}

function numbered(name: string, n: number): string {
  if (n === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}~${n}${name.slice(dot)}` : `${name}~${n}`;
}

/** A name that every system can have as a file. */
function fileName(name: string): string {
  const safe = name
    .split(/[\\/]/)
    .at(-1)!
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f:*?"<>|]/g, '_')
    .replace(/^\.+/, '_');
  return safe.slice(0, 150) || 'session';
}
