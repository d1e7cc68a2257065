import type { ArchiveBranch, Look } from './archive-branch.ts';
import { ARCHIVE_FOLDER, type ArchiveRecord, readRecords, sha256 } from './archive-record.ts';
import { holdsLog } from './holds-log.ts';
import { hasVault } from './vault.ts';

interface Choice {
  readonly path: string;
  /**
   * `known`: it is there, or is the beginning of the stored version. `grown`: the stored version is its beginning, and is
   * replaced by it.
   */
  readonly how: 'new' | 'grown' | 'known';
}

/** The version that needs a place. */
export interface PathCandidate {
  readonly record: ArchiveRecord;
  readonly stored: Uint8Array;
  /** With its secrets, where they are known. */
  readonly original?: Uint8Array;
  /** Whether its original can be had back: it does not take the place of one that can, if its own cannot. */
  readonly vaulted?: boolean;
  /** What it took the place of when it was archived first. */
  readonly replaces?: ArchiveRecord | undefined;
}

/**
 * Where a file goes. Versions of which one is the beginning of the other have one place; a file that was rewritten gets
 * another one beside it, so everything that was ever archived can be had from the newest commit.
 */
export async function choosePath(
  branch: ArchiveBranch,
  look: Look,
  { record, stored, original, vaulted = true, replaces }: PathCandidate,
): Promise<Choice> {
  for (let n = 1; ; n++) {
    const path = ARCHIVE_FOLDER + numbered(fileName(record.name), n);
    const file = look.files.get(path);
    if (!file) return { path, how: 'new' };
    const there = (await readRecords(branch, look, [path])).get(path);
    if (there) {
      if (isSame(there, record)) return { path, how: 'known' };
      if (replaces && isSame(there, replaces)) return { path, how: 'grown' };
      if (there.kind !== record.kind) continue;
      const named = { sha256: there.sha256, stored: there.stored.sha256 };
      if (!vaulted && there.secrets > 0 && hasVault({ folder: branch.vault }, named)) continue;
      if (record.kind === 'session') {
        // A whole version is not covered by a redacted one, nor the other way round.
        if ((there.secrets === 0) !== (record.secrets === 0)) continue;
        const [log] = await branch.read([file.id]);
        if (holdsLog(stored, log!)) return { path, how: 'grown' };
        if (holdsLog(log!, stored)) return { path, how: 'known' };
        continue;
      }
      if (holds(record, there, { stored, original })) return { path, how: 'grown' };
      if (there.stored.bytes >= record.stored.bytes) {
        const [more] = await branch.read([file.id]);
        if (holds(there, record, { stored: more! })) return { path, how: 'known' };
      }
    } else {
      // Without a record it was left there by an interrupted run.
      const [left] = await branch.read([file.id]);
      if (left && Buffer.from(stored).subarray(0, left.length).equals(left)) return { path, how: 'grown' };
    }
  }
}

function isSame(one: ArchiveRecord, other: ArchiveRecord): boolean {
  return one.sha256 === other.sha256 && one.stored.sha256 === other.stored.sha256;
}

/**
 * Whether a file begins with an older version of it. The stored bytes alone say nothing about secrets that were taken out:
 * another one has the same placeholder.
 */
function holds(
  newer: ArchiveRecord,
  older: ArchiveRecord,
  { stored, original }: { stored: Uint8Array; original?: Uint8Array | undefined },
): boolean {
  if (newer.stored.bytes < older.stored.bytes) return false;
  if (sha256(stored.subarray(0, older.stored.bytes)) !== older.stored.sha256) return false;
  if (newer.secrets === 0 && older.secrets === 0) return true;
  return original !== undefined && sha256(original.subarray(0, older.bytes)) === older.sha256;
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
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the redacted text
    .replace(/[\u0000-\u001f\u007f:*?"<>|]/g, '_')
    .replace(/^\.+/, '_');
  return safe.slice(0, 150) || 'session';
}
