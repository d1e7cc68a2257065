import { sayNumber } from '../../../text/index.ts';

interface Progress {
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
  /** Takes the line away again. */
  readonly end: () => void;
}

const QUIET_MS = 500;
const REDRAW_MS = 100;

/** One line on stderr that is redrawn in place. Silent in pipes, and for work of half a second. */
export function showProgress(what: string): Progress {
  const started = performance.now();
  let drawn = 0;
  return {
    onProgress({ done, total }) {
      const now = performance.now();
      if (!process.stderr.isTTY || now - started < QUIET_MS || now - drawn < REDRAW_MS) return;
      drawn = now;
      const percent = total > 0 ? ` (${Math.floor((Math.min(done, total) / total) * 100)} %)` : '';
      process.stderr.write(`\r\x1b[K${what}: ${sayNumber(done)} of ${sayNumber(total)}${percent}`);
    },
    end() {
      if (drawn > 0) process.stderr.write('\r\x1b[K');
    },
  };
}

/** A line for the part that a run has come to, in the words for it. */
export function showParts(words: Readonly<Record<string, string>>) {
  let shown: { readonly part: string; readonly progress: Progress } | undefined;
  return {
    onProgress({ part = '', done, total }: { part?: string; done: number; total: number }): void {
      if (shown?.part !== part) {
        shown?.progress.end();
        shown = { part, progress: showProgress(words[part] ?? part) };
      }
      shown.progress.onProgress({ done, total });
    },
    end: (): void => shown?.progress.end(),
  };
}

/** For what cannot say how far it is: the line counts the seconds. */
export function showWaiting(what: string): Pick<Progress, 'end'> {
  if (!process.stderr.isTTY) return { end() {} };
  const started = performance.now();
  let drawn = false;
  const timer = setInterval(() => {
    drawn = true;
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`\r\x1b[K${what}: ${sayNumber(seconds)} s`);
  }, 1000);
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      if (drawn) process.stderr.write('\r\x1b[K');
    },
  };
}
