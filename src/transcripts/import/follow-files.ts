import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/index.ts';
import { openSource } from '../source/open-source.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { formatOf, type ImportOptions, importFile, importSource } from './import-files.ts';
import type { ImportReport } from './report.ts';

interface FollowOptions extends ImportOptions {
  readonly signal: AbortSignal;
  /** Called whenever something new is in the store; `added` is what came since the last call. */
  readonly onReports: (reports: readonly ImportReport[]) => void;
  readonly onError: (error: unknown, file: FoundFile) => void;
}

const LOOK_MS = 1000;
/** A file that has not changed for so long is let go; when it changes again it is taken up again. */
const IDLE_MS = 10 * 60_000;

/**
 * Keeps importing the files of the paths until it is stopped: files that grow are read on from where they ended, files that are
 * written anew are read again, and new ones are taken up when they appear.
 */
export async function followFiles(
  store: Store,
  paths: readonly string[],
  options: FollowOptions,
): Promise<void> {
  const { signal, onReports, onError } = options;
  const seen = new Map<string, { size: number; mtimeMs: number }>();
  const tails = new Map<string, Tail>();

  async function look(file: FoundFile): Promise<void> {
    const tailed = tails.get(file.path);
    // Another file may have taken its name, while the one that is followed has a new one.
    if (tailed && (await stat(file.path)).ino !== tailed.ino) tailed.letGo();
    const before = seen.get(file.path);
    if (tailed || (before?.size === file.size && before.mtimeMs === file.mtimeMs)) return;
    seen.set(file.path, { size: file.size, mtimeMs: file.mtimeMs });
    const format = await formatOf(file, options);
    if (format?.grows && Date.now() - file.mtimeMs < IDLE_MS) {
      const { ino } = await stat(file.path);
      const over = new AbortController();
      const ended = tail(file, { ino, over }).finally(() => tails.delete(file.path));
      tails.set(file.path, { ino, letGo: () => over.abort(), ended });
      return;
    }
    const { reports } = await importFile(store, { ...file, named: false }, options);
    createTeller()(reports);
  }

  async function tail(file: FoundFile, { ino, over }: { ino: number; over: AbortController }): Promise<void> {
    let timer = setTimeout(() => over.abort(), IDLE_MS);
    let read = 0;
    const stop = AbortSignal.any([signal, over.signal]);
    try {
      const format = (await formatOf(file, options))!;
      const source = await openSource(file.path, {
        follow: stop,
        onBytes: (bytes) => {
          read += bytes;
          clearTimeout(timer);
          timer = setTimeout(() => over.abort(), IDLE_MS);
        },
      });
      await importSource(store, source, {
        format,
        file: file.path,
        purged: 'leave-out',
        trusted: options.trusted ?? false,
        onSettled: createTeller(),
      });
      // Lines that were read are not read again when the file is let go; what took its place is.
      const now = await stat(file.path).catch(() => undefined);
      if (stop.aborted && now?.ino === ino && now.size === read)
        seen.set(file.path, { size: now.size, mtimeMs: now.mtimeMs });
      else seen.delete(file.path);
    } catch (error) {
      onError(error, file);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The reports of one import count from its beginning, session by session; the report covers newer lines. */
  function createTeller(): (reports: readonly ImportReport[]) => void {
    let told: readonly number[] = [];
    return (reports) => {
      const fresh = reports.map((report, index) => ({
        ...report,
        added: report.added - (told[index] ?? 0),
      }));
      told = reports.map(({ added }) => added);
      const grown = fresh.filter(({ added }) => added > 0);
      if (grown.length > 0) onReports(grown);
    };
  }

  while (!signal.aborted) {
    for await (const file of findFiles(paths)) {
      if (signal.aborted) break;
      await look(file).catch((error: unknown) => onError(error, file));
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all([...tails.values()].map(({ ended }) => ended));
}

/** A file that is read on as it grows, under any name. */
interface Tail {
  readonly ino: number;
  letGo(): void;
  readonly ended: Promise<void>;
}
