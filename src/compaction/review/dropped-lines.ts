import {
  CheckpointList,
  type DroppedLine,
  type Entry,
  type Summary,
  type SummaryLine,
  summaryIn,
} from '../../record/index.ts';
import { sameLine } from '../../summary/index.ts';
import { type CompactionPlan, spanOf } from '../plan-compaction.ts';

// Summaries that a draft takes the place of stay in the log, and the checkpoint is made of all of them. What a person took out of
// the draft is named with it, so that it goes there too.

/** The lines of a summary that another version of it lacks, or has in other words or unpinned. */
export function takenOut(before: Summary, after: Summary): DroppedLine[] {
  const left = new Set(linesIn(after).map(keyOf));
  return linesIn(before)
    .filter((line) => !left.has(keyOf(line)))
    .map(({ pinned: _, ...line }) => line);
}

/** With the sources that summaries of the same entries, which stand in the log, have for these lines. */
export function withLineSources(
  dropped: readonly DroppedLine[],
  notes: readonly Entry[],
  { covers }: Pick<CompactionPlan, 'covers'>,
): DroppedLine[] {
  const inside = notes.filter((entry) => {
    const { from, to } = spanOf([entry]);
    return entry.body.kind === 'compaction' && from >= covers.from && to <= covers.to;
  });
  const known = inside.flatMap(({ body }) => linesIn(summaryIn(body)!));
  return dropped.map((line) => {
    const same = known.filter(({ list, text }) => list === line.list && sameLine(text, line.text));
    return { ...line, from: [...new Set([line, ...same].flatMap(({ from }) => from))] };
  });
}

interface Listed extends DroppedLine {
  readonly pinned?: boolean;
}

/** What of a summary is in the checkpoint. */
function linesIn(summary: Summary): Listed[] {
  const listed = (list: CheckpointList, lines: readonly SummaryLine[] = []): Listed[] =>
    lines.map(({ text, from, pinned = false }) => ({ list, text, from, pinned }));
  return [
    ...listed('decisions', summary.standing),
    ...CheckpointList.options.flatMap((list) => listed(list, summary[list])),
    ...summary.files.map(({ path, from = [] }) => ({ list: 'files' as const, text: path, from })),
  ];
}

function keyOf({ list, text, pinned = false }: Listed): string {
  return `${list} ${pinned} ${text}`;
}
