import { hash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ThroughlineError } from '../../errors.ts';
import { isDead, thisProcess } from '../../session/index.ts';
import type { LeaseOwner } from '../../store/index.ts';

interface Replaced {
  /** Lines added to the file while it was worked on; it is in the new one, at its end. */
  readonly arrived: number;
}

/**
 * Puts new content in place of a file that was read as `old`: a draft beside it, synced, then renamed. Added lines are taken
 * along; if it changed in any other way nothing is done.
 */
export async function replaceFile(
  file: string,
  { old, content, onStep }: { old: Buffer; content: Buffer; onStep?: (step: 'drafted' | 'replaced') => void },
): Promise<Replaced> {
  await using before = await open(file, 'r');
  const { mode, uid, gid } = await before.stat();
  const draft = `${draftName(file)}${randomBytes(6).toString('hex')}`;
  try {
    let arrived: Buffer;
    {
      await using handle = await open(draft, 'wx', 0o600);
      // Only root may give files away; locks of others stay.
      await handle.chown(uid, gid).catch(() => {});
      // Not as it is opened: the umask would take some of it away.
      await handle.chmod(mode & 0o777);
      await handle.writeFile(content);
      arrived = await readMore(before, old, file);
      await handle.writeFile(arrived);
      await handle.sync();
    }
    onStep?.('drafted');
    await rename(draft, file);
    onStep?.('replaced');
    await syncFolder(path.dirname(file));
    // What came between the last look and the renaming went into the old file, which is still open here.
    const late = await readFrom(before, old.length + arrived.length);
    if (late.length > 0) {
      await using handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
      await handle.writeFile(late);
      await handle.sync();
    }
    return { arrived: arrived.length + late.length };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Drafts of runs that did not get to their end. */
export async function removeDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  const start = path.basename(draftName(file));
  for (const name of await readdir(folder))
    if (name.startsWith(start)) await rm(path.join(folder, name), { force: true });
}

function draftName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.throughline-draft-`);
}

async function readMore(handle: FileHandle, old: Buffer, file: string): Promise<Buffer> {
  const now = await readFrom(handle, 0);
  if (now.length >= old.length && now.subarray(0, old.length).equals(old)) return now.subarray(old.length);
  throw new ThroughlineError(
    'transcript-changed',
    `${file} was rewritten by somebody else while it was being shortened. It was left as it is now; run it again.`,
    { details: { file } },
  );
}

async function readFrom(handle: FileHandle, position: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.max(0, size - position));
  let filled = 0;
  // One read may bring less than there is.
  for (let read = -1; filled < bytes.length && read !== 0; filled += read)
    ({ bytesRead: read } = await handle.read(bytes, filled, bytes.length - filled, position + filled));
  return bytes.subarray(0, filled);
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

const TRIES = 10;

/** Keeps other runs of ours away from a file until it is let go. What a dead process holds is free. */
export async function holdFile(file: string): Promise<AsyncDisposable> {
  return hold(path.join(path.dirname(file), `.${path.basename(file)}.throughline-lock`), file);
}

async function hold(lock: string, file: string): Promise<AsyncDisposable> {
  const own = JSON.stringify(thisProcess('Throughline'));
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await take(lock, own)) return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    const seen = await read(lock);
    // It has been let go.
    if (seen === undefined) continue;
    const holder = parseHolder(seen);
    if (holder && !isDead(holder)) throw busy(file, holder);
    await takeAway(lock, seen, file);
  }
  throw busy(file, undefined);
}

/**
 * Takes away what a dead process left, and nothing else: only the owner of this very lock may, so between the look and the
 * removal no other lock can have taken its place.
 */
async function takeAway(lock: string, seen: string, file: string): Promise<void> {
  await using _right = await hold(`${lock}-${hash('sha256', seen).slice(0, 16)}`, file);
  if ((await read(lock)) === seen) await rm(lock, { force: true });
}

/** The lock appears with its content or not at all. */
async function take(lock: string, own: string): Promise<boolean> {
  const draft = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    {
      await using handle = await open(draft, 'wx', 0o600);
      await handle.writeFile(own);
    }
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(lock: string): Promise<string | undefined> {
  return readFile(lock, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function parseHolder(text: string): LeaseOwner | undefined {
  try {
    return JSON.parse(text) as LeaseOwner;
  } catch {
    return undefined;
  }
}

function busy(file: string, holder: LeaseOwner | undefined): ThroughlineError {
  const who = holder ? ` by process ${holder.pid}` : '';
  return new ThroughlineError(
    'transcript-busy',
    `${file} is being shortened${who} right now. It was left alone.`,
    {
      details: { file, ...(holder && { pid: holder.pid }) },
    },
  );
}
