import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/index.ts';
import { openSource } from '../source/open-source.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { formatOf, type ImportOptions, importFile, importSource } from './import-files.ts';
import type { ImportReport } from './report.ts';

export interface FollowOptions extends ImportOptions {
  readonly signal: AbortSignal;
  /** Called whenever something new is in the store. */
  readonly onReports: (reports: readonly ImportReport[]) => void;
  readonly onError: (error: unknown, file: FoundFile) => void;
}

const LOOK_MS = 1000;
/** A file that has not changed for so long is let go; when it changes again it is taken up again. */
const IDLE_MS = 10 * 60_000;

/**
 * Keeps importing what the paths hold until it is told to stop: files that grow are read on from where they ended, files
 * that are written anew are read again, and new ones are taken up when they appear.
 */
export async function followFiles(
  store: Store,
  paths: readonly string[],
  options: FollowOptions,
): Promise<void> {
  const { signal, onReports, onError } = options;
  const seen = new Map<string, { size: number; mtimeMs: number }>();
  const tails = new Map<string, Promise<void>>();

  async function look(file: FoundFile): Promise<void> {
    const before = seen.get(file.path);
    if (tails.has(file.path) || (before?.size === file.size && before.mtimeMs === file.mtimeMs)) return;
    seen.set(file.path, { size: file.size, mtimeMs: file.mtimeMs });
    const format = await formatOf(file, options);
    if (format?.grows && Date.now() - file.mtimeMs < IDLE_MS) {
      const ended = tail(file).finally(() => tails.delete(file.path));
      tails.set(file.path, ended);
      return;
    }
    const { reports } = await importFile(store, { ...file, named: false }, options);
    tell(reports);
  }

  async function tail(file: FoundFile): Promise<void> {
    const idle = new AbortController();
    let timer = setTimeout(() => idle.abort(), IDLE_MS);
    const stop = AbortSignal.any([signal, idle.signal]);
    try {
      const format = (await formatOf(file, options))!;
      const source = await openSource(file.path, {
        follow: stop,
        onBytes: () => {
          clearTimeout(timer);
          timer = setTimeout(() => idle.abort(), IDLE_MS);
        },
      });
      await importSource(store, source, { format, file: file.path, onSettled: tell });
      // What was read is not to be read again when the file is let go.
      for await (const now of findFiles([file.path]))
        seen.set(now.path, { size: now.size, mtimeMs: now.mtimeMs });
    } catch (error) {
      onError(error, file);
    } finally {
      clearTimeout(timer);
    }
  }

  const told = new Map<string, number>();
  function tell(reports: readonly ImportReport[]): void {
    const fresh = reports.filter(({ id, file, added }) => added > (told.get(`${file} ${id}`) ?? 0));
    for (const { id, file, added } of fresh) told.set(`${file} ${id}`, added);
    if (fresh.length > 0) onReports(fresh);
  }

  while (!signal.aborted) {
    for await (const file of findFiles(paths)) {
      if (signal.aborted) break;
      await look(file).catch((error: unknown) => onError(error, file));
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all(tails.values());
}
