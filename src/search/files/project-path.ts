import { homedir } from 'node:os';
import path from 'node:path';

const { posix } = path;

/** Where relative paths of a session start, and other names of the same place. */
export interface Roots {
  /** Every folder that the project is or was in. */
  readonly folders: readonly string[];
  /** The folder a session worked in, if it says so. */
  readonly base?: string | undefined;
}

/**
 * A path as the project knows it: relative to its top, wherever the project was then; absolute if it lies outside. The
 * top itself is ''.
 */
export function projectPath(named: string, { folders, base }: Roots): string {
  const plain = plainPath(named);
  if (isAbsolute(plain)) return within(plain, folders) ?? plain;
  const start = base === undefined ? '' : within(plainPath(base), folders);
  const joined = posix.normalize(posix.join(start ?? '', plain));
  if (joined === '.' || joined === './') return '';
  if (!joined.startsWith('..')) return joined.replace(/\/+$/, '');
  // Above the top it is somewhere else; where, only the folder of that time can tell.
  const root = folders[0];
  return root === undefined ? joined : posix.normalize(posix.join(plainPath(root), joined));
}

/** Whether a path is this one, or lies in it. */
export function isAt(found: string, asked: string): boolean {
  if (asked === '') return !isAbsolute(found) && !found.startsWith('..');
  return found === asked || found.startsWith(`${asked}/`);
}

/** Whether a path ends like this one, or lies in a folder that does. */
export function endsLike(found: string, asked: string): boolean {
  return asked !== '' && `/${found}/`.includes(`/${asked}/`);
}

function plainPath(named: string): string {
  const slashed = named.trim().replaceAll('\\', '/');
  const home =
    slashed === '~' || slashed.startsWith('~/')
      ? homedir().replaceAll('\\', '/') + slashed.slice(1)
      : slashed;
  const whole = posix.normalize(home);
  return whole.length > 1 ? whole.replace(/\/+$/, '') : whole;
}

function within(absolute: string, folders: readonly string[]): string | undefined {
  const tops = folders.map(plainPath).sort((a, b) => b.length - a.length);
  for (const top of tops) {
    if (absolute === top) return '';
    if (absolute.startsWith(`${top}/`)) return absolute.slice(top.length + 1);
  }
  return undefined;
}

function isAbsolute(plain: string): boolean {
  return plain.startsWith('/') || /^[A-Za-z]:\//.test(plain);
}
