import {
  CheckpointList,
  type DroppedLine,
  type EntryId,
  type ListedLine,
  type Merge,
  type Summary,
  type SummaryLine,
} from '../record/index.ts';
import { type Checkpoint, EMPTY_CHECKPOINT, foldCheckpoint, mergeFiles } from './fold-checkpoint.ts';
import { dropLines, type Gone, withoutGone } from './gone-lines.ts';
import { sameLine } from './same-line.ts';

/** A merge as a step of a checkpoint, under the id of its entry. */
export interface MergeStep {
  readonly id: EntryId;
  readonly merge: Pick<Merge, 'summary' | 'dropped'>;
}

/** Lines that a person took out of the summary that follows. */
interface DropStep {
  readonly taken: readonly DroppedLine[];
}

export type Step = Summary | MergeStep | DropStep;

/**
 * Adds summaries and merges to a checkpoint, in the order of the conversation. A merge is a patch: it says exactly which lines
 * come and go. A line that it dropped stays away until it is stated anew, also when a later summary of the same entries repeats
 * it.
 */
export function foldSteps(steps: readonly Step[], base: Checkpoint = EMPTY_CHECKPOINT): Checkpoint {
  let gone: Gone[] = [];
  let state = base;
  for (const step of steps) {
    if ('taken' in step) {
      state = dropLines(state, step.taken);
      continue;
    }
    if (!('merge' in step)) {
      state = foldCheckpoint([withoutGone(step, gone)], state);
      continue;
    }
    const { summary, dropped } = step.merge;
    const back = ({ list, text }: ListedLine) => summary[list].some((line) => sameLine(line.text, text));
    gone = [...gone, ...dropped.map((line) => ({ ...line, by: step.id }))].filter((line) => !back(line));
    state = applyMerge(state, step);
  }
  return state;
}

export function applyMerge(
  state: Checkpoint,
  { id, merge: { summary, dropped } }: { id?: EntryId; merge: MergeStep['merge'] },
): Checkpoint {
  const brought = (line: SummaryLine): SummaryLine => ({
    ...line,
    from: [...new Set([...line.from, ...(id === undefined ? [] : [id])])],
  });
  const lists = CheckpointList.options.map((list) => {
    const going = dropped.filter((line) => line.list === list);
    const left = going.reduce(drop, state[list]);
    return [list, summary[list].map(brought).reduce(add, left)] as const;
  });
  return { ...state, ...Object.fromEntries(lists), files: mergeFiles(state.files, summary.files) };
}

/** Exact match first, then a normalised match. */
function drop(lines: readonly SummaryLine[], { text }: ListedLine): readonly SummaryLine[] {
  const exact = lines.some((line) => line.text === text);
  return lines.filter((line) => (exact ? line.text !== text : !sameLine(line.text, text)));
}

/** Two wordings of one thing may both be wanted, so only the very same words are one line. */
function add(lines: readonly SummaryLine[], line: SummaryLine): readonly SummaryLine[] {
  const known = lines.find(({ text }) => text === line.text);
  if (!known) return [...lines, line];
  return lines.map((each) =>
    each === known ? { ...known, ...line, from: [...new Set([...known.from, ...line.from])] } : each,
  );
}
