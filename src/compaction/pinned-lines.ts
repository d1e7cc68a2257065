import {
  type Entry,
  mapLines,
  SUMMARY_LISTS,
  type Summary,
  type SummaryLine,
  type SummaryList,
  summaryIn,
} from '../record/index.ts';
import { bareWords, sameLine, sayLine } from '../summary/index.ts';

// A line that a person pinned in a draft stands word for word in every later summary of its entries, by any writer.

/** A line under its list. */
interface PinnedLine {
  readonly list: SummaryList;
  readonly line: SummaryLine;
}

/** The pinned lines of the summaries among entries, oldest first, each once with the sources of all. */
export function pinnedLines(entries: readonly Entry[]): PinnedLine[] {
  const distinct = new Map<string, PinnedLine>();
  for (const { body } of entries) {
    const summary = summaryIn(body);
    if (!summary) continue;
    for (const list of SUMMARY_LISTS) {
      for (const line of summary[list] ?? []) {
        if (!line.pinned) continue;
        const key = `${list} ${bareWords(sayLine(line))}`;
        const from = [...new Set([...(distinct.get(key)?.line.from ?? []), ...line.from])];
        distinct.set(key, { list, line: { ...line, from } });
      }
    }
  }
  return [...distinct.values()];
}

/** The summary with these lines, each in the place of the same one in other words, or else before the others. */
export function withPinnedLines(summary: Summary, pinned: readonly PinnedLine[]): Summary {
  if (pinned.length === 0) return summary;
  const left = new Set(pinned);
  const others = mapLines(summary, (lines, list) =>
    lines.flatMap((line) => {
      const same = pinned.filter((one) => repeats(line, one.line));
      if (same.length === 0) return [line];
      const here = same.filter((one) => one.list === list && left.delete(one));
      return here.map((one) => one.line);
    }),
  );
  const lists = [...Map.groupBy(left, ({ list }) => list)].map(([list, ones]) => {
    const lines = others[list] ?? [];
    // What the work was for at first stays the first line of the goal.
    const at = list === 'goal' ? 1 : 0;
    return [list, [...lines.slice(0, at), ...ones.map(({ line }) => line), ...lines.slice(at)]];
  });
  return { ...others, ...Object.fromEntries(lists) };
}

function repeats(line: SummaryLine, pinned: SummaryLine): boolean {
  const said = bareWords(sayLine(line));
  if ([sayLine(pinned), pinned.text].some((text) => bareWords(text) === said)) return true;
  return sameLine(line.text, pinned.text) && line.from.every((id) => pinned.from.includes(id));
}
