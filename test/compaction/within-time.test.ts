import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withinTime } from '../../src/compaction/within-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that tells when it is alive and when it is given up, and ends when the test says so. */
function begin(signal?: AbortSignal) {
  const end = Promise.withResolvers<string>();
  let alive = () => {};
  let given: AbortSignal | undefined;
  const outcome = withinTime(
    (inner, sign) => {
      given = inner;
      alive = sign;
      return end.promise;
    },
    { timeoutMs: 1_000, signal },
  ).catch((error: Error) => error.message);
  return { outcome, end, alive: () => alive(), given: () => given! };
}

describe('work that has a time for every sign of life', () => {
  it('may take any time as long as the signs come', async () => {
    const { outcome, end, alive, given } = begin();
    for (let piece = 0; piece < 20; piece++) {
      await vi.advanceTimersByTimeAsync(900);
      alive();
    }
    end.resolve('done');
    expect(await outcome).toBe('done');
    expect(given().aborted).toBe(false);
  });

  it('is given up when they do not, also if it does not listen', async () => {
    const { outcome, alive, given } = begin();
    await vi.advanceTimersByTimeAsync(900);
    alive();
    await vi.advanceTimersByTimeAsync(1_001);
    expect(await outcome).toBe('no answer within 1 s');
    expect(given().aborted).toBe(true);
  });

  it('is given up on request, before and after it began', async () => {
    const stop = new AbortController();
    const { outcome } = begin(stop.signal);
    stop.abort();
    expect(await outcome).toBe('cancelled');
    expect(await begin(stop.signal).outcome).toBe('cancelled');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wind up the clock again when it has been given up', async () => {
    const stop = new AbortController();
    const { outcome, alive } = begin(stop.signal);
    stop.abort();
    await outcome;
    alive();
    expect(vi.getTimerCount()).toBe(0);
  });
});
