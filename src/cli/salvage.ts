import path from 'node:path';
import type { StoreChoice } from './choose-store.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { green, red } from './terminal/paint.ts';
import { printJson, printLines } from './terminal/print.ts';
import { sayBytes, sayCount } from './terminal/say.ts';
import { showProgress } from './terminal/show-progress.ts';
import { visibleLine } from './terminal/visible-text.ts';
import { usageError } from './usage-error.ts';

/** Saves what can be read of a damaged store into a new file. The damaged one is only read. */
export async function salvage(
  { location, exists }: StoreChoice,
  wanted: string | true,
  { json = false }: { json?: boolean },
): Promise<void> {
  if (!exists) throw usageError(`There is no store at ${location}, so there is nothing to salvage.`);
  const target = wanted === true ? besides(location) : path.resolve(wanted);
  // Loaded only here: nobody else needs it.
  const { salvageStore } = await import('../store/sqlite/index.ts');
  const progress = showProgress('Salvaging');
  const report = await salvageStore(location, target, { onProgress: progress.onProgress }).finally(
    progress.end,
  );
  // Lost bytes alone are no loss: an index is made anew from what it pointed to.
  const whole = report.unreadable.length === 0;
  if (!whole) process.exitCode = EXIT_CODES['store-damaged'];
  if (json) return printJson({ source: location, target, whole, ...report });
  const saved = [
    sayCount(report.sessions, 'session'),
    sayCount(report.entries, 'entry', 'entries'),
    sayCount(report.blobs, 'blob'),
  ];
  await printLines([
    `Saved ${saved.join(', ')} to ${visibleLine(target)}`,
    ...(whole ? [green('Nothing was lost.')] : sayLost(report)),
    '',
    `${visibleLine(location)} was not changed. Look at what was saved with:`,
    `  throughline sessions --store ${quoted(target)}`,
  ]);
}

type Lost = Pick<Awaited<ReturnType<SalvageStore>>, 'unreadable' | 'bytesLost'>;
type SalvageStore = typeof import('../store/sqlite/index.ts')['salvageStore'];

const MOST_LINES = 20;

function sayLost({ unreadable, bytesLost }: Lost): string[] {
  const lines = unreadable.slice(0, MOST_LINES).map(({ session, seq, reason }) => {
    const where = [session, seq !== undefined && `entry ${seq}`].filter(Boolean).join(', ');
    return `  ${visibleLine(where ? `${where}: ${reason}` : reason)}`;
  });
  const left = unreadable.length - lines.length;
  return [
    red(`${sayCount(unreadable.length, 'piece')} could not be read (${sayBytes(bytesLost)}):`),
    ...lines,
    ...(left > 0 ? [`  and ${left} more; --json lists all`] : []),
  ];
}

function besides(location: string): string {
  const { dir, name, ext } = path.parse(location);
  return path.join(dir, `${name}-salvaged${ext || '.db'}`);
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${visibleLine(file).replaceAll("'", "'\\''")}'`;
}
