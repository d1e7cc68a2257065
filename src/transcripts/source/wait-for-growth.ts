import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 200;

export interface Waiting {
  readonly signal: AbortSignal;
  /** How long to wait at most; for ever if not given. */
  readonly patienceMs?: number;
}

/** Waits until an open file is longer than `size`. `over`: it was cut or removed, or the wait was given up. */
export async function waitForGrowth(
  handle: FileHandle,
  size: number,
  { signal, patienceMs = Number.POSITIVE_INFINITY }: Waiting,
): Promise<'grown' | 'quiet' | 'over'> {
  const deadline = performance.now() + patienceMs;
  while (!signal.aborted) {
    const now = await handle.stat();
    if (now.size > size) return 'grown';
    if (now.size < size || now.nlink === 0) return 'over';
    if (performance.now() >= deadline) return 'quiet';
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return 'over';
}
