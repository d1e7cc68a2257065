import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { SessionId } from '../../record/index.ts';
import { thisShell } from './this-shell.ts';

// The numbers that people see in a list work in their next command. Two terminals may show two lists, so each shell has
// its own. A shell that never saw a list (a script, a new tab) may look at what the newest one names, and change nothing
// by it.

const Lists = z.record(z.string(), z.object({ at: z.number(), ids: z.array(z.string()) }));
type Lists = z.infer<typeof Lists>;

const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_LISTS = 50;

interface LastListOptions {
  /** The shell that asked. */
  readonly shell?: string;
  readonly now?: number;
}

/** Remembers a list. `false` if it could not be kept: then its numbers must not be shown. */
export function keepLastList(
  location: string,
  ids: readonly SessionId[],
  { shell = thisShell(), now = Date.now() }: LastListOptions = {},
): boolean {
  const fresh = Object.entries({ ...readLists(location), [shell]: { at: now, ids: [...ids] } })
    .filter(([, list]) => now - list.at < KEEP_MS)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_LISTS);
  return writeLists(location, Object.fromEntries(fresh));
}

/** `own`: only lists of this shell, for commands that change a session given by number. */
export function readLastList(
  location: string,
  { shell = thisShell(), own = false }: Pick<LastListOptions, 'shell'> & { readonly own?: boolean } = {},
): readonly SessionId[] | undefined {
  const lists = readLists(location);
  const [newest] = Object.values(lists).sort((a, b) => b.at - a.at);
  return (lists[shell] ?? (own ? undefined : newest))?.ids;
}

/** Takes purged sessions out of every list. Their lines stay empty, so that the other numbers still hold. */
export function forgetInLists(location: string, gone: readonly SessionId[]): void {
  const lists = readLists(location);
  for (const list of Object.values(lists)) list.ids = list.ids.map((id) => (gone.includes(id) ? '' : id));
  if (Object.keys(lists).length > 0) writeLists(location, lists);
}

const fileOf = (location: string) => `${location}-lists.json`;

function readLists(location: string): Lists {
  try {
    return Lists.parse(JSON.parse(readFileSync(fileOf(location), 'utf8')));
  } catch {
    // Not there, or damaged: numbers are a convenience, and the next list brings them back.
    return {};
  }
}

function writeLists(location: string, lists: Lists): boolean {
  const temporary = `${fileOf(location)}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, JSON.stringify(lists), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, fileOf(location));
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}
