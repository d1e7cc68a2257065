import {
  CheckpointList,
  type EntryId,
  type ListedLine,
  type MergeRule,
  type SettledConflict,
  type SummaryFile,
  type SummaryLine,
} from '../record/index.ts';
import { type Checkpoint, sayTheSame } from '../summary/index.ts';
import type { Comparison, Conflict, LineChange } from './compare-checkpoints.ts';

/** Which side of a conflict holds. */
type Choice = 'ours' | 'theirs' | 'both';

/** What a merge does to a checkpoint, line by line. */
export interface Patch {
  readonly added: Readonly<Record<CheckpointList, readonly SummaryLine[]>>;
  readonly dropped: readonly ListedLine[];
  readonly files: readonly SummaryFile[];
}

export interface Settlement {
  readonly patch: Patch;
  readonly settled: readonly SettledConflict[];
  /** Conflicts without a decision by a person or a rule. Until then the patch leaves ours as it is. */
  readonly open: readonly Conflict[];
  /** Lines of theirs that do not come, because ours was chosen or they were declined. */
  readonly left: readonly ListedLine[];
}

interface SettleOptions {
  /** For every conflict without a chosen side. */
  readonly rule?: MergeRule | undefined;
  /** What a person chose, by the number of the conflict, from 1. */
  readonly choices?: ReadonlyMap<number, MergeRule> | undefined;
  /** What a person does not want of the rest, by its number among the clean changes, from 1. */
  readonly leave?: ReadonlySet<number> | undefined;
  /** When the newest of these was said, in milliseconds; `undefined` if unknown. */
  readonly timeOf: (ids: readonly EntryId[]) => number | undefined;
}

/** Turns their changes, and the decisions where ours changed too, into one patch to ours. */
export function settleConflicts(
  { clean, conflicts, files }: Comparison,
  ours: Checkpoint,
  { rule, choices = new Map(), leave = new Set(), timeOf }: SettleOptions,
): Settlement {
  const decided = conflicts.map((conflict, index) => {
    const chosen = choices.get(index + 1);
    const wanted = chosen ?? rule;
    const kept = wanted === 'newest' ? newestOf(conflict, timeOf) : wanted;
    return { conflict, kept, by: chosen ? ('person' as const) : rule };
  });
  // A line may stand in several conflicts; it goes only if neither side wanted it.
  const wanted = new Set(
    decided.flatMap(({ conflict, kept }) => (kept === 'theirs' ? [] : conflict.ours.line)),
  );
  const book = createBook(ours);
  const wants = (_: LineChange, index: number) => !leave.has(index + 1);
  for (const change of clean.filter(wants)) book.apply(change);
  for (const { conflict, kept } of decided) {
    if (kept === 'theirs' || kept === 'both')
      book.take(conflict, { replace: !wanted.has(conflict.ours.line) });
  }
  return {
    patch: { ...book.patch(), files: missingIn(ours, files.theirs) },
    settled: decided.flatMap(({ conflict, kept, by }) => (kept && by ? [settledOf(conflict, kept, by)] : [])),
    open: decided.flatMap(({ conflict, kept }) => (kept ? [] : [conflict])),
    left: [
      ...clean.filter((change, index) => change.change !== 'removed' && !wants(change, index)).map(listed),
      ...decided.flatMap(({ conflict: { theirs }, kept }) =>
        kept === 'ours' && theirs.line ? [listed({ list: theirs.list, line: theirs.line })] : [],
      ),
    ],
  };
}

function listed({ list, line }: { list: CheckpointList; line: SummaryLine }): ListedLine {
  return { list, text: line.text, from: [...line.from] };
}

/** What ours has not done to these files. */
function missingIn({ files }: Checkpoint, brought: readonly SummaryFile[]): SummaryFile[] {
  const known = new Map(files.map(({ path, operations }) => [path, operations]));
  return brought.flatMap((file) => {
    const operations = file.operations.filter((operation) => !known.get(file.path)?.includes(operation));
    return operations.length > 0 ? [{ ...file, operations }] : [];
  });
}

/** The side that something was said for last; neither side's if that is unknown. */
function newestOf({ ours, theirs }: Conflict, timeOf: SettleOptions['timeOf']): Choice | undefined {
  const [own, other] = [ours, theirs].map(({ line, closedBy }) => timeOf((line ?? closedBy)?.from ?? []));
  if (own === undefined || other === undefined || own === other) return undefined;
  return own > other ? 'ours' : 'theirs';
}

/** Collects what comes and goes. */
function createBook(ours: Checkpoint) {
  const added = Object.fromEntries(
    CheckpointList.options.map((list) => [list, [] as SummaryLine[]]),
  ) as Record<CheckpointList, SummaryLine[]>;
  const dropped = new Map<SummaryLine, CheckpointList>();
  /** The base's line, if ours still has it. */
  const dropBase = (list: CheckpointList, base: SummaryLine) => {
    const own =
      ours[list].find(({ text }) => text === base.text) ??
      ours[list].find(({ text }) => sayTheSame(text, base.text));
    if (own) dropped.set(own, list);
  };
  return {
    apply({ list, change, line, was }: LineChange): void {
      if (change !== 'removed') added[list].push(line);
      if (change !== 'added') dropBase(list, was ?? line);
    },
    take({ list, base, ours: own, theirs }: Conflict, { replace }: { replace: boolean }): void {
      if (base) dropBase(list, base);
      if (replace && own.line) dropped.set(own.line, own.list);
      if (theirs.line) added[theirs.list].push(theirs.line);
    },
    patch: () => ({
      added,
      dropped: [...dropped].map(([line, list]) => listed({ list, line })),
    }),
  };
}

function settledOf(
  { list, base, ours, theirs }: Conflict,
  kept: Choice,
  by: SettledConflict['by'],
): SettledConflict {
  return {
    list,
    ...(base && { base: base.text }),
    ...(ours.line && { ours: ours.line.text }),
    ...(theirs.line && { theirs: theirs.line.text }),
    kept,
    by,
  };
}
