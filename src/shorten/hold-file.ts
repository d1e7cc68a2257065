import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ThroughlineError } from '../errors.ts';
import { isDead, thisProcess } from '../session/index.ts';
import type { LeaseOwner } from '../store/index.ts';

/** Keeps other runs of ours away from a file until it is let go. What a dead process holds is free. */
export async function holdFile(file: string): Promise<AsyncDisposable> {
  const lock = path.join(path.dirname(file), `.${path.basename(file)}.throughline-lock`);
  const own = JSON.stringify(thisProcess('throughline compact-file'));
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await take(lock, own)) return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    const holder = await readHolder(lock);
    if (holder && !isDead(holder)) throw busy(file, holder);
    // Only what was seen is taken away: whoever came in between wrote something else.
    if (holder === undefined || (await readFile(lock, 'utf8').catch(() => '')) === JSON.stringify(holder))
      await rm(lock, { force: true });
  }
  throw busy(file, undefined);
}

/** The lock appears with its content or not at all. */
async function take(lock: string, own: string): Promise<boolean> {
  const draft = `${lock}.${randomBytes(6).toString('hex')}`;
  {
    await using handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(own);
  }
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readHolder(lock: string): Promise<LeaseOwner | undefined> {
  try {
    return JSON.parse(await readFile(lock, 'utf8')) as LeaseOwner;
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
