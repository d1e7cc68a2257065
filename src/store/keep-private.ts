import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';

// Files that hold conversations are for their owner alone. A folder with the set-group-ID bit is the exception: that bit
// says that the folder is shared with a group on purpose, so in it the rights of the group are left as they are.

const SET_GROUP_ID = 0o2000;
const GROUP = 0o070;
const OTHERS = 0o007;

/** A file that other users of the machine can open, and the reason why it stays so. */
interface ExposedFile {
  readonly file: string;
  readonly why: string;
}

/**
 * Takes the rights of other users away from those of the files that are there and belong to this user, and returns the
 * files that other users can still open. With `change: false` it only looks.
 */
export function keepPrivate(
  files: readonly string[],
  { change = true }: { change?: boolean } = {},
): ExposedFile[] {
  const user = process.getuid?.();
  // Windows has no such rights: the folder of a user is closed to the others there.
  if (user === undefined) return [];
  return files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    const folder = found && statSync(path.dirname(file)).mode;
    if (!found || folder === undefined) return [];
    const rights = found.mode & (folder & SET_GROUP_ID ? OTHERS : GROUP | OTHERS);
    if (rights === 0) return [];
    const why = !change ? READ_ONLY : found.uid === user ? takeAway(file, found.mode & ~rights) : NOT_YOURS;
    return why !== undefined && isReachable(rights, folder) ? [{ file, why }] : [];
  });
}

/** One sentence for people; `undefined` if no file is exposed. */
export function sayExposed(exposed: readonly ExposedFile[]): string | undefined {
  if (exposed.length === 0) return undefined;
  const reasons = [...new Set(exposed.map(({ why }) => why))];
  const files = exposed.map(({ file }) => file);
  return `Other users of this machine can open ${files.join(', ')}, and that was not changed: ${reasons.join('; ')}. "chmod go= <file>" closes a file.`;
}

const READ_ONLY = 'it was opened read-only';
const NOT_YOURS = 'it belongs to another user';

/** Why the file could not be changed; `undefined` if it was. */
function takeAway(file: string, mode: number): string | undefined {
  try {
    chmodSync(file, mode & 0o7777);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? 'its file system is read-only'
      : `the system refused (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** A file is out of reach in a folder that other users cannot enter. */
function isReachable(rights: number, folder: number): boolean {
  return Boolean((rights & GROUP && folder & 0o010) || (rights & OTHERS && folder & 0o001));
}
