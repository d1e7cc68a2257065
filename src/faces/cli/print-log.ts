import type { z } from 'zod';
import type { showLog } from '../../operations/session/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { sayCount } from '../../text/index.ts';
import { renderEntry } from './render/render-entry.ts';
import { renderSessionHeader } from './render/session-header.ts';
import { bold, dim } from './terminal/paint.ts';
import { print, printLines, toJson } from './terminal/print.ts';
import { foldWidth } from './terminal/screen-width.ts';

export type LogPage = z.output<typeof showLog.result>;

/** A log for people, entry by entry: a blank line around messages, none between notes. */
export async function printLog(
  session: SessionInfo,
  pages: AsyncIterable<LogPage>,
  { full, marked }: { full: boolean; marked: boolean },
): Promise<void> {
  const options = { width: foldWidth(), full };
  let begun = false;
  let quietBefore: boolean | undefined;
  for await (const { session: shown, entries, older, entry: asked } of pages) {
    if (!begun) await printLines(renderSessionHeader(session, shown.title));
    begun = true;
    if (older > 0) {
      const left = sayCount(older, 'older entry is', 'older entries are');
      await print(`\n${dim(`${left} not shown; --all shows all.`)}\n`);
    }
    for (const entry of entries) {
      const { text, quiet } = renderEntry(entry, options);
      const mark = marked && entry.seq === asked ? bold('▸ ') : '';
      await print(`${quiet && quietBefore ? '' : '\n'}${mark}${text}\n`);
      quietBefore = quiet;
    }
  }
  if (quietBefore === undefined) await print(`\n${dim('No entries.')}\n`);
}

/** A page as `--json` shows it. */
export interface PrintedLog {
  readonly session: unknown;
  readonly entries: readonly unknown[];
}

/** One object, written as the entries come, each on its own line: a huge session never sits in memory. */
export async function printLogAsJson(pages: AsyncIterable<PrintedLog>): Promise<void> {
  let begun = false;
  let count = 0;
  for await (const { session, entries } of pages) {
    if (!begun) await print(`{\n"session": ${toJson(session)},\n"entries": [`);
    begun = true;
    for (const entry of entries) await print(`${count++ === 0 ? '\n' : ',\n'}${toJson(entry)}`);
  }
  await print(count === 0 ? ']\n}\n' : '\n]\n}\n');
}
