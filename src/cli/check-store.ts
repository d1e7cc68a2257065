import { statSync } from 'node:fs';
import { isThroughlineError, ThroughlineError } from '../errors.ts';
import { openStore, type RebuildReport, type VerifyReport } from '../store/index.ts';
import type { StoreChoice } from './choose-store.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { renderCheckup } from './render/render-checkup.ts';
import { printJson, printLines } from './terminal/print.ts';
import { showProgress } from './terminal/show-progress.ts';

export interface Checkup extends VerifyReport {
  readonly location: string;
  /** The file and the log beside it. */
  readonly bytes: number;
  readonly sound: boolean;
  readonly rebuilt?: RebuildReport;
}

/** Reads the whole store and says what is wrong; the exit code is not 0 if something is. */
export async function checkStore(
  choice: StoreChoice,
  { rebuild = false, json = false }: { rebuild?: boolean; json?: boolean },
): Promise<void> {
  const checkup = choice.exists ? await examine(choice.location, { rebuild }) : nothingYet(choice);
  await (json ? printJson(checkup) : printLines(renderCheckup(checkup, choice)));
  if (!checkup.sound) process.exitCode = EXIT_CODES['store-damaged'];
}

async function examine(location: string, { rebuild }: { rebuild: boolean }): Promise<Checkup> {
  try {
    await using store = await openStore(location, { readOnly: !rebuild });
    const rebuilt = rebuild && (await watched('Rebuilding', (progress) => store.rebuild(progress)));
    const report = await watched('Checking', (progress) => store.verify(progress));
    const sound = report.problems.length === 0 && report.stored === report.listed;
    return { location, bytes: sizeOf(location), sound, ...report, ...(rebuilt && { rebuilt }) };
  } catch (error) {
    throw beyondChecking(error, location);
  }
}

async function watched<T>(
  what: string,
  work: (options: Pick<ReturnType<typeof showProgress>, 'onProgress'>) => Promise<T>,
): Promise<T> {
  const progress = showProgress(what);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** So damaged that it cannot be read to its end, or not even opened: what is left is to save what can be read. */
function beyondChecking(error: unknown, location: string): unknown {
  const damaged = isThroughlineError(error, 'store-damaged') || isDamage(error);
  if (!damaged && !isThroughlineError(error, 'store-foreign')) return error;
  const what = damaged
    ? `The store ${location} is damaged and cannot be read to its end (${reasonOf(error as Error)}).`
    : `${location} is not a Throughline store, or its start is damaged.`;
  return new ThroughlineError(
    damaged ? 'store-damaged' : 'store-foreign',
    `${what} Nothing was changed. "throughline doctor --salvage" saves what can be read into a new file and leaves this one as it is.`,
    { cause: error, details: { location } },
  );
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** SQLite gave up, or a row does not hold the JSON that was written into it. */
function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || (error as { code?: unknown } | null)?.code === 'ERR_SQLITE_ERROR';
}

function nothingYet({ location }: StoreChoice): Checkup {
  return { location, bytes: 0, sound: true, stored: 0, listed: 0, entries: 0, blobs: 0, problems: [] };
}

function sizeOf(location: string): number {
  return [location, `${location}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
