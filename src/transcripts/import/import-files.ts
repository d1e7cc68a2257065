import { ThroughlineError } from '../../errors.ts';
import type { Store } from '../../store/index.ts';
import { detectFormat } from '../detect/detect-format.ts';
import { type Format, type FormatName, formatNamed } from '../formats.ts';
import { openSource, textSource } from '../source/open-source.ts';
import type { TranscriptSource } from '../transcript.ts';
import type { FoundFile } from './find-files.ts';
import { type ImportFoundOptions, importFound } from './import-found.ts';
import type { KnownFiles } from './known-files.ts';
import type { ImportReport } from './report.ts';

export interface ImportOptions {
  /** What the files are, whatever they look like. */
  readonly format?: FormatName;
  readonly known?: KnownFiles;
  /** What the file belongs to, for sessions that have no name in their file. */
  readonly home?: string;
  /** The files are the owner's own: they bring along the addresses of models, and those in our format every setting. */
  readonly trusted?: boolean;
  readonly onBytes?: (bytes: number) => void;
  /** The bytes that a file would have if it had never been shortened, if they can be had back. */
  readonly whole?: (file: string, format: FormatName) => Promise<Uint8Array | undefined>;
}

/** What became of one file. */
export interface FileOutcome {
  readonly file: FoundFile;
  readonly reports: readonly ImportReport[];
  /** Why nothing was read: it has not changed, or it is no transcript that is known. */
  readonly skipped?: 'unchanged' | 'unknown';
}

/** Imports one file. A named file that is no transcript is an error; one that was met in a folder is passed by. */
export async function importFile(
  store: Store,
  file: FoundFile,
  options: ImportOptions = {},
): Promise<FileOutcome> {
  const before = options.known?.find(file);
  const { trusted = false } = options;
  const isWhole = before?.every(({ settingsLeftOut }) => !trusted || !settingsLeftOut);
  if (before && isWhole && (await areThere(store, before, file))) {
    options.onBytes?.(file.size);
    return { file, reports: before.map((report) => ({ ...report, added: 0 })), skipped: 'unchanged' };
  }
  const format = await formatOf(file, options);
  if (!format) {
    options.onBytes?.(file.size);
    if (file.named) throw notKnown(file.path);
    return { file, reports: [], skipped: 'unknown' };
  }
  const opened = await openSource(file.path, {
    ...(options.onBytes && { onBytes: options.onBytes }),
    ...(options.home !== undefined && { home: options.home }),
  });
  const whole = await options.whole?.(file.path, format.name);
  const source = whole ? { ...opened, chunks: textSource(whole).chunks } : opened;
  const purged = file.named ? 'again' : 'leave-out';
  const reports = await importSource(store, source, { format, file: file.path, purged, trusted });
  options.known?.keep(file, reports);
  return { file, reports };
}

/** Imports what a source holds, in a format that is known. */
export async function importSource(
  store: Store,
  source: TranscriptSource,
  {
    format,
    ...options
  }: { format: Format } & Pick<ImportFoundOptions, 'file' | 'purged' | 'trusted' | 'onSettled'>,
): Promise<ImportReport[]> {
  const read = await format.reader();
  const { changedAt } = source;
  return importFound(store, read(source), { ...options, format: format.name, changedAt });
}

export async function formatOf(
  { path }: FoundFile,
  { format }: Pick<ImportOptions, 'format'>,
): Promise<Format | undefined> {
  return format === undefined ? detectFormat(await openSource(path)) : formatNamed(format);
}

async function areThere(
  store: Store,
  reports: readonly ImportReport[],
  { named }: FoundFile,
): Promise<boolean> {
  const wanted = reports.filter(({ purged }) => named || !purged);
  const sessions = await Promise.all(wanted.map(({ id }) => store.session(id)));
  return sessions.every((session) => session !== undefined);
}

function notKnown(file: string): ThroughlineError {
  return new ThroughlineError(
    'transcript-unknown',
    `${file} is no transcript that is known by its content. Nothing was imported. If you know what it is, name its format.`,
    { details: { file, format: 'unknown' } },
  );
}
