import type { OperationResult } from '../../../operations/index.ts';
import type { salvageStoreOperation } from '../../../operations/store/index.ts';
import { sayCount } from '../../../text/index.ts';
import { quoted } from '../command-line.ts';
import { green, red } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type Salvaged = OperationResult<typeof salvageStoreOperation>;

/** The parts of a store that were saved and lost, and how to look at the new file. */
export function renderSalvage({ source, target, whole, ...report }: Salvaged): string[] {
  const saved = [
    sayCount(report.sessions, 'session'),
    sayCount(report.entries, 'entry', 'entries'),
    sayCount(report.blobs, 'blob'),
  ];
  return [
    `Saved ${saved.join(', ')} to ${visibleLine(target)}`,
    ...(whole ? [green('Nothing was lost.')] : sayLost(report)),
    '',
    `${visibleLine(source)} was not changed. Look at what was saved with:`,
    `  throughline sessions --store ${quoted(target)}`,
  ];
}

const MOST_LINES = 20;

function sayLost({ unreadable, bytesLost }: Pick<Salvaged, 'unreadable' | 'bytesLost'>): string[] {
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
