import { hash, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ThroughlineError } from '../errors.ts';
import { isDead, thisProcess } from '../session/index.ts';
import type { LeaseOwner } from '../store/index.ts';

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
