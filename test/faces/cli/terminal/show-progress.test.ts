import { afterEach, describe, expect, it, vi } from 'vitest';
import { showWaiting } from '../../../../src/faces/cli/terminal/show-progress.ts';

function onTerminal(isTTY: boolean) {
  vi.useFakeTimers();
  vi.stubGlobal('process', Object.create(process, { stderr: { value: { isTTY, write: vi.fn() } } }));
  return vi.mocked(process.stderr.write);
}

describe('waiting for what cannot say how far it is', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('counts the seconds in one line and takes it away again', () => {
    const write = onTerminal(true);
    const { end } = showWaiting('someone writes the summary');
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(3_000);
    expect(write.mock.lastCall).toEqual(['\r\x1b[Ksomeone writes the summary: 3 s']);
    end();
    expect(write.mock.lastCall).toEqual(['\r\x1b[K']);
    vi.advanceTimersByTime(3_000);
    expect(write).toHaveBeenCalledTimes(4);
  });

  it('says nothing in a pipe', () => {
    const write = onTerminal(false);
    const { end } = showWaiting('someone writes the summary');
    vi.advanceTimersByTime(3_000);
    end();
    expect(write).not.toHaveBeenCalled();
  });
});
