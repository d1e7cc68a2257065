import type { MergePreview, MergeResult } from '../../branches/index.ts';
import { bold, dim } from '../terminal/paint.ts';
import { sayCount } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { titleOfList } from './list-titles.ts';
import { renderChange, renderConflict, sayBranch, saySince } from './render-difference.ts';

/** What a merge would do: every line that comes or goes, and every conflict with both sides. */
export function renderMergePreview(preview: MergePreview): string[] {
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
    ...settled.map(({ kept, by, ours: own, theirs: other }) =>
      dim(`  settled: ${visibleLine((kept === 'theirs' ? other : own) ?? '(gone)')} (${kept}, by ${by})`),
    ),
    ...(own > 0 ? ['', dim(`${ours.id} itself has ${sayCount(own, 'change')} since then; they stay.`)] : []),
  ];
}

/** How to go on from a preview, as commands. */
export function sayNextSteps({ ours, theirs, plan, open }: MergePreview): string[] {
  const command = `throughline merge ${theirs.id} --into ${ours.id} --plan ${plan} --yes`;
  if (open.length === 0) return [`Nothing was written. To merge it: ${command}`];
  const choices = open.map((number) => `${number}=ours|theirs|both`).join(',');
  return [
    `Nothing was written. ${sayCount(open.length, 'conflict')} to settle: ${command} --resolve ${choices}`,
    'or by a rule for all of them: --take ours, theirs, newest or both',
  ];
}

export function renderMerged({ ours, theirs, entry, patch, left }: MergeResult): string[] {
  if (!entry) return [`Nothing to merge: ${ours.id} knows all that ${theirs.id} says.`];
  const added = Object.values(patch.added).flat().length;
  const facts = [
    `${sayCount(added, 'line')} came`,
    ...(patch.dropped.length > 0 ? [`${sayCount(patch.dropped.length, 'line')} went`] : []),
    ...(left.length > 0 ? [`${sayCount(left.length, 'line')} of the branch left out`] : []),
    ...(patch.files.length > 0 ? [sayCount(patch.files.length, 'file')] : []),
  ];
  return [`Merged ${theirs.id} up to its entry ${theirs.head} into ${ours.id}: ${facts.join(', ')}.`];
}
