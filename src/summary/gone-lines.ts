import {
  CheckpointList,
  type DroppedLine,
  type EntryId,
  entryIdTime,
  type ListedLine,
  type SummaryLine,
} from '../record/index.ts';
import type { Checkpoint } from './fold-checkpoint.ts';
import { sameLine } from './same-line.ts';

/** A line that a merge dropped. */
export interface Gone extends ListedLine {
  /** The entry of the merge. */
  readonly by: EntryId;
}

/** The lists without lines that only repeat what a merge dropped. */
export function withoutGone<T extends { readonly [list in CheckpointList]?: readonly SummaryLine[] }>(
  lists: T,
  gone: readonly Gone[],
): T {
  if (gone.length === 0) return lists;
  const left = CheckpointList.options.flatMap((list) => {
    const away = gone.filter((line) => line.list === list);
    const lines = lists[list];
    return lines ? [[list, lines.filter((line) => !away.some((one) => repeats(line, one)))]] : [];
  });
  return { ...lists, ...Object.fromEntries(left) };
}

/** The same line, and nothing behind it that the merge did not know. */
function repeats({ text, from }: SummaryLine, gone: Gone): boolean {
  const isKnown = (id: EntryId) => gone.from.includes(id) || isOlder(id, gone.by);
  return sameLine(text, gone.text) && from.every(isKnown);
}

/** Only ids that tell their time can be compared by it. */
function isOlder(a: EntryId, b: EntryId): boolean {
  return entryIdTime(a) !== undefined && entryIdTime(b) !== undefined && a < b;
}

/** The checkpoint without these lines. A line that has another source too stays: it was stated elsewhere as well. */
export function dropLines(state: Checkpoint, dropped: readonly DroppedLine[]): Checkpoint {
  if (dropped.length === 0) return state;
  const { files, ...lists } = state;
  // No id: what another entry says is not known, however old that is.
  const gone = dropped.flatMap(({ list, ...line }) => (list === 'files' ? [] : [{ ...line, list, by: '' }]));
  const isGone = (path: string, from: readonly string[]) =>
    dropped.some(
      (one) => one.list === 'files' && one.text === path && from.every((id) => one.from.includes(id)),
    );
  return { ...withoutGone(lists, gone), files: files.filter(({ path, from = [] }) => !isGone(path, from)) };
}
