import type { Entry, Seq, SessionInfo } from '../record/index.ts';
import { describeSession } from '../session/index.ts';
import { describeEntry } from './render/describe-entry.ts';
import { renderEntry } from './render/render-entry.ts';
import { renderSessionHeader } from './render/session-header.ts';
import { bold, dim } from './terminal/paint.ts';
import { print, printLines, toJson } from './terminal/print.ts';
import { sayCount } from './terminal/say.ts';
import { foldWidth } from './terminal/screen-width.ts';

/** A log for people, entry by entry: a blank line around what was said, none between quiet lines. */
export async function printLog(
  session: SessionInfo,
  entries: AsyncIterable<Entry>,
  { older, full, at }: { older: number; full: boolean; at?: Seq },
): Promise<void> {
  await printLines(renderSessionHeader(session));
  if (older > 0) {
    const left = sayCount(older, 'older entry is', 'older entries are');
    await print(`\n${dim(`${left} not shown; --all shows all.`)}\n`);
  }
  const options = { width: foldWidth(), full };
  let quietBefore: boolean | undefined;
  for await (const entry of entries) {
    const { text, quiet } = renderEntry(entry, options);
    await print(`${quiet && quietBefore ? '' : '\n'}${entry.seq === at ? bold('▸ ') : ''}${text}\n`);
    quietBefore = quiet;
  }
  if (quietBefore === undefined) await print(`\n${dim('No entries.')}\n`);
}

/** One object, written as the entries come, each on its own line: a huge session never sits in memory. */
export async function printLogAsJson(session: SessionInfo, entries: AsyncIterable<Entry>): Promise<void> {
  await print(`{\n"session": ${toJson(describeSession(session))},\n"entries": [`);
  let count = 0;
  for await (const entry of entries) {
    await print(`${count++ === 0 ? '\n' : ',\n'}${toJson(describeEntry(entry))}`);
  }
  await print(count === 0 ? ']\n}\n' : '\n]\n}\n');
}
