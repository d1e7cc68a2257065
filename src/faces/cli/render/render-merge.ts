import type { MergeRecord } from '../../../operations/branch/index.ts';
import type { MergeRule } from '../../../record/index.ts';
import { sayCount } from '../../../text/index.ts';
import { commandLine } from '../command-line.ts';
import type { Unwanted } from '../parse-merge.ts';
import { bold, dim } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { GlobalOptions } from '../with-store.ts';
import { titleOfList } from './list-titles.ts';
import { renderChange, renderConflict, sayBranch, saySince } from './render-difference.ts';

/** What a merge would do: every line that comes or goes, and every conflict with both sides. */
export function renderMergePreview(preview: MergeRecord): string[] {
  const { ours, theirs, brings, patch, conflicts, settled, changes } = preview;
  const disputed = new Set(conflicts.map((conflict) => conflict.ours.text));
  const own = changes.filter(({ side, text }) => side === 'ours' && !disputed.has(text)).length;
  const width = String(brings.length).length;
  return [
    `${sayBranch(theirs)} into ${sayBranch(ours)}`,
    dim(saySince(preview)),
    ...(brings.length > 0 ? ['', bold('Comes')] : []),
    ...brings.map(
      (line) => `  ${String(line.number).padStart(width)}  ${titleOfList(line.list)}: ${renderChange(line)}`,
    ),
    ...(patch.files.length > 0 ? ['', bold('Files')] : []),
    ...patch.files.map(({ path, operations }) => `  ${visibleLine(path)} (${operations.join(', ')})`),
    ...conflicts.flatMap((conflict) => ['', ...renderConflict(conflict, preview)]),
    ...settled.map((conflict) => dim(`  settled: ${saySettled(conflict)}`)),
    ...(own > 0 ? ['', dim(`${ours.id} itself has ${sayCount(own, 'change')} since then; they stay.`)] : []),
  ];
}

function saySettled({ kept, by, ours, theirs }: MergeRecord['settled'][number]): string {
  const sides = { ours: [ours], theirs: [theirs], both: [ours, theirs] }[kept];
  const lines = sides.flatMap((line) => (line === undefined ? [] : [visibleLine(line)]));
  return `${lines.join(' | ') || '(gone)'} (${kept}${by === kept ? '' : `, by ${by}`})`;
}

/** The options of a merge command. */
interface AskedMerge extends GlobalOptions {
  readonly plan?: string;
  readonly take?: MergeRule;
  readonly resolve?: ReadonlyMap<number, MergeRule>;
  readonly leave?: Unwanted;
}

/** The words of a merge command with everything that was asked for; `open` are conflicts that are still to settle. */
export function mergeWords(
  { branch, into, open = [] }: { branch: string; into: string | undefined; open?: readonly number[] },
  { plan, take, resolve = new Map(), leave = { numbers: [], lists: [] } }: AskedMerge,
): string[] {
  const unwanted = [...leave.numbers, ...leave.lists];
  const choices = [
    ...[...resolve].map(([number, side]) => `${number}=${side}`),
    ...open.map((number) => `${number}=ours|theirs|both`),
  ];
  return [
    `merge ${branch}`,
    ...(into === undefined ? [] : [`--into ${into}`]),
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    '--yes',
    ...(unwanted.length > 0 ? [`--leave ${unwanted.join(',')}`] : []),
    ...(take === undefined ? [] : [`--take ${take}`]),
    ...(choices.length > 0 ? [`--resolve ${choices.join(',')}`] : []),
  ];
}

/** How to go on from a preview, as commands that do what it shows. */
export function sayNextSteps({ ours, theirs, plan, open }: MergeRecord, asked: AskedMerge): string[] {
  const words = mergeWords({ branch: theirs.id, into: ours.id, open }, { ...asked, plan });
  const command = commandLine(words, asked);
  if (open.length === 0) return [`Nothing was written. To merge it: ${command}`];
  return [
    `Nothing was written. ${sayCount(open.length, 'conflict')} to settle: ${command}`,
    'or by a rule for all of them: --take ours, theirs, newest or both',
  ];
}

export function renderMerged({ ours, theirs, merged, patch, left }: MergeRecord): string[] {
  if (!merged) return [`Nothing to merge: ${ours.id} knows all that ${theirs.id} says.`];
  const added = Object.values(patch.added).flat().length;
  const facts = [
    `${sayCount(added, 'line')} came`,
    ...(patch.dropped.length > 0 ? [`${sayCount(patch.dropped.length, 'line')} went`] : []),
    ...(left.length > 0 ? [`${sayCount(left.length, 'line')} of the branch left out`] : []),
    ...(patch.files.length > 0 ? [sayCount(patch.files.length, 'file')] : []),
  ];
  return [`Merged ${theirs.id} up to its entry ${theirs.head} into ${ours.id}: ${facts.join(', ')}.`];
}
