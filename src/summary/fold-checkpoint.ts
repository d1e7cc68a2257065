import type { Summary, SummaryFile, SummaryLine } from '../record/index.ts';
import { bareWords, finishesTask, sameLine, sayTheSame } from './same-line.ts';

/** The state of the work: what all summaries add up to. Every line keeps the entries it came from. */
export interface Checkpoint {
  readonly completed: readonly SummaryLine[];
  readonly pending: readonly SummaryLine[];
  readonly decisions: readonly SummaryLine[];
  readonly blockers: readonly SummaryLine[];
  readonly facts: readonly SummaryLine[];
  readonly files: readonly SummaryFile[];
}

export const EMPTY_CHECKPOINT: Checkpoint = {
  completed: [],
  pending: [],
  decisions: [],
  blockers: [],
  facts: [],
  files: [],
};

/**
 * Adds summaries to a checkpoint, oldest first. Folded, not asked for again: later lines win over the same line said
 * earlier, and a completed line closes the pending ones and the blockers that it names.
 */
export function foldCheckpoint(
  summaries: readonly Summary[],
  base: Checkpoint = EMPTY_CHECKPOINT,
): Checkpoint {
  return summaries.reduce(addSummary, base);
}

function addSummary(state: Checkpoint, summary: Summary): Checkpoint {
  const completed = mergeLines(state.completed, summary.completed);
  const closed = ({ text }: SummaryLine) => summary.completed.some((done) => finishesTask(done.text, text));
  // Within one summary the two lists describe the same moment, so a task it calls pending stays so.
  const stillOpen = state.pending.filter((line) => !closed(line));
  return {
    completed: completed.filter((line) => !summary.pending.some((open) => isSame(line, open))),
    pending: mergeLines(stillOpen, summary.pending),
    // A rule of the person is a decision that holds.
    decisions: mergeLines(state.decisions, [...(summary.standing ?? []), ...summary.decisions]),
    blockers: mergeLines(
      state.blockers.filter((line) => !closed(line)),
      summary.blockers,
    ),
    facts: mergeLines(state.facts, summary.facts),
    files: mergeFiles(state.files, summary.files),
  };
}

/**
 * The later wording wins, in the place of the earlier one, with the sources of both. A line that was stated or pinned is
 * replaced only by the same line: two that differ in a word were both stated.
 */
function mergeLines(earlier: readonly SummaryLine[], later: readonly SummaryLine[]): SummaryLine[] {
  const merged = [...earlier];
  const places = new Map(merged.map(({ text }, at) => [bareWords(text), at]));
  for (const line of later) {
    const at = places.get(bareWords(line.text)) ?? merged.findIndex((known) => isSame(known, line));
    if (at < 0) {
      places.set(bareWords(line.text), merged.length);
      merged.push(line);
    } else merged[at] = replaced(merged[at]!, line);
  }
  return merged;
}

function isSame(known: SummaryLine, line: SummaryLine): boolean {
  if (isFirm(known) && isFirm(line)) return sayTheSame(known.text, line.text);
  if (!sameLine(known.text, line.text)) return false;
  // From other entries, a line like a stated one may say that something has changed.
  return !isFirm(known) || line.from.every((id) => known.from.includes(id));
}

function replaced(known: SummaryLine, line: SummaryLine): SummaryLine {
  const from = [...new Set([...known.from, ...line.from])];
  return { ...(isFirm(known) && !isFirm(line) ? known : line), from };
}

/** A line that is kept word for word. */
export function isFirm({ stated, pinned }: Pick<SummaryLine, 'stated' | 'pinned'>): boolean {
  return stated === true || pinned === true;
}

export function mergeFiles(earlier: readonly SummaryFile[], later: readonly SummaryFile[]): SummaryFile[] {
  const files = new Map(earlier.map((file) => [file.path, file]));
  for (const { path, operations, from } of later) {
    const known = files.get(path);
    files.set(path, {
      path,
      operations: [...new Set([...(known?.operations ?? []), ...operations])],
      from: [...new Set([...(known?.from ?? []), ...(from ?? [])])],
    });
  }
  return [...files.values()];
}
