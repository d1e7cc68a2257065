import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file that was moved out of the way, and why. */
export interface KeptAside {
  readonly file: string;
  readonly aside: string;
  readonly why: string;
}

interface WriteAsideOptions {
  /** Why the existing file must not be overwritten; `undefined` if it may go. */
  readonly keep: (text: string) => string | undefined;
}

/**
 * Puts a file in place in one step. A file that would be lost is moved aside first, under a free name: neither a kill nor a
 * second writer can lose it. Returns the moved file.
 */
export async function writeAside(
  file: string,
  text: string,
  { keep }: WriteAsideOptions,
): Promise<KeptAside | undefined> {
  await mkdir(path.dirname(file), { recursive: true });
  await removeOldDrafts(file);
  const there = await readFile(file, 'utf8').catch(() => undefined);
  if (there === text) return undefined;
  const why = there === undefined ? undefined : keep(there);
  const aside = why === undefined ? undefined : await moveAside(file);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await using handle = await open(temporary, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rename(temporary, file);
  return why === undefined ? undefined : { file, aside: aside!, why };
}

/** A draft that nothing has written to for so long belongs to a process that was killed. */
const OLD_DRAFT_MS = 60_000;

async function removeOldDrafts(file: string): Promise<void> {
  const { dir, base } = path.parse(file);
  for (const name of await readdir(dir)) {
    if (!name.startsWith(`${base}.`) || !/^\.[0-9a-f]{12}\.tmp$/.test(name.slice(base.length))) continue;
    const written = await stat(path.join(dir, name)).catch(() => undefined);
    if (written && Date.now() - written.mtimeMs > OLD_DRAFT_MS)
      await rm(path.join(dir, name), { force: true });
  }
}

/** Links before it unlinks: the content has a name at every instant, and no other file is written over. */
async function moveAside(file: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const aside = `${file}.aside-${attempt}`;
    try {
      await link(file, aside);
      return aside;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
