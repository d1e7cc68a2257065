import { renameSync, rmSync, statSync } from 'node:fs';
import { ThroughlineError } from '../../errors.ts';
import { toIndexError } from './index-error.ts';
import { isDamage } from './transact.ts';

/** Whatever is made of an open index. */
export interface Opened {
  close(): void;
}

interface KeptOpen<T extends Opened> {
  /** Does the work, and does it again with another index if this one turns out not to be usable. */
  use<R>(work: (index: T) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

const TRIES = 3;
const NO_FILE = '';

/**
 * Keeps an index open for as long as it is the one in its file. One that turns out to be damaged is moved aside, one
 * that was deleted or replaced by another process is let go; then the file is opened anew.
 */
export async function keepOpen<T extends Opened>(file: string, open: () => Promise<T>): Promise<KeptOpen<T>> {
  const inFile = file !== ':memory:';
  let current = await openSound();
  let identity = fileIdentity(file);
  let replacing: Promise<void> | undefined;
  let closed = false;

  async function replace({ damaged }: { damaged: boolean }): Promise<void> {
    current.close();
    if (damaged && fileIdentity(file) === identity) moveAside(file);
    identity = NO_FILE;
    current = await openSound();
    identity = fileIdentity(file);
  }

  /** It can be made again, so a damaged one is not worth a question. Files of other programs never get here. */
  async function openSound(): Promise<T> {
    try {
      return await open();
    } catch (error) {
      if (!inFile || !isDamage(error)) throw toIndexError(error, file);
    }
    try {
      moveAside(file);
      return await open();
    } catch (error) {
      throw toIndexError(error, file);
    }
  }

  /** One replacement at a time, also for several callers. */
  function replaceOnce(why: { damaged: boolean }): Promise<void> {
    replacing ??= replace(why).finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  return {
    async use(work) {
      for (let tries = 1; ; tries++) {
        await replacing;
        if (closed) throw new ThroughlineError('store-closed', 'The search index is closed. Open it again.');
        if (inFile && fileIdentity(file) !== identity) await replaceOnce({ damaged: false });
        const index = current;
        try {
          return await work(index);
        } catch (error) {
          const outdated = index !== current || replacing !== undefined;
          if (tries >= TRIES || !inFile || !(outdated || isDamage(error))) throw toIndexError(error, file);
          if (!outdated) await replaceOnce({ damaged: true });
        }
      }
    },
    async close() {
      closed = true;
      await replacing;
      current.close();
    },
  };
}

/**
 * Puts a damaged index out of the way, so that a new one can be made in its place. The newest damaged one is kept for
 * inspection; purging a session deletes it.
 */
function moveAside(file: string): void {
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  try {
    renameSync(file, damagedName(file));
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function damagedName(file: string): string {
  return `${file}.damaged`;
}

/** Tells a file from another one that was put in its place. */
function fileIdentity(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : 'none';
}
