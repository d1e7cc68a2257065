import type { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createChangeHints } from '../../../src/store/sqlite/change-hints.ts';

/** A file that answers only as long as it is `well`. */
function fileWith(state: { version: number; well: boolean }): DatabaseSync {
  const get = () => {
    if (!state.well) throw new Error('disk I/O error');
    return { data_version: state.version };
  };
  return { prepare: () => ({ get }) } as unknown as DatabaseSync;
}

describe('hints at what other processes write', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('come when the file has changed, and only then', async () => {
    vi.useFakeTimers();
    const state = { version: 1, well: true };
    const hints = createChangeHints(fileWith(state));
    let told = 0;
    const stop = hints.add(() => {
      told++;
    });
    await vi.advanceTimersByTimeAsync(300);
    expect(told).toBe(0);
    state.version = 2;
    await vi.advanceTimersByTimeAsync(300);
    expect(told).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come when the file cannot be asked, and do not end the process', async () => {
    vi.useFakeTimers();
    const state = { version: 1, well: true };
    const hints = createChangeHints(fileWith(state));
    let told = 0;
    hints.add(() => {
      told++;
    });
    state.well = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(told).toBe(1);
    state.well = true;
    await vi.advanceTimersByTimeAsync(300);
    expect(told).toBe(1);
    hints.stop();
  });
});
