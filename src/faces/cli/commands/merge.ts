import { type Command, Option } from 'commander';
import type { MergeRecord } from '../../../operations/branch/index.ts';
import { perform, printedBy } from '../../../operations/index.ts';
import { MergeRule } from '../../../record/index.ts';
import { agreeToFound, type FoundHistory, guessesIn, sayGuess } from '../agree-to-found.ts';
import { commandLine } from '../command-line.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { askAboutMerge, parseChoices, parseUnwanted, type Unwanted } from '../parse-merge.ts';
import { mergeWords, renderMerged, renderMergePreview, sayNextSteps } from '../render/render-merge.ts';
import { canAsk } from '../terminal/confirm.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

interface MergeCommandOptions extends GlobalOptions {
  into?: string;
  take?: MergeRule;
  resolve?: ReadonlyMap<number, MergeRule>;
  leave?: Unwanted;
  plan?: string;
  preview?: boolean;
  yes?: boolean;
  undo?: boolean;
}

export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .description(
      'Bring what a branch came to into the session it came from. Shows what would come and where the two disagree; with --yes, or after asking in a terminal, it is written.',
    )
    .argument('<branch>', SESSION_ARGUMENT)
    .option('--into <session>', 'the session to merge into (default: the one the branch came from)')
    .addOption(
      new Option('--take <rule>', 'settles every conflict that is not resolved').choices([
        ...MergeRule.options,
      ]),
    )
    .option('--resolve <n=side>', 'settles one conflict: 1=ours, 1=theirs, 1=both', parseChoices)
    .option('--leave <lines>', 'what not to bring: numbers of lines, or lists such as facts', parseUnwanted)
    .option('--plan <plan>', 'only if the merge is still the one that was shown')
    .addOption(new Option('--preview', 'only show it; ask nothing, write nothing').conflicts('yes'))
    .option('-y, --yes', 'do not ask; conflicts that nothing settles are refused')
    .addOption(new Option('--undo', 'take the last merge of the branch back').conflicts(['preview', 'take']))
    .addHelpText(
      'after',
      helpExamples(
        ['throughline merge plan-b', 'what would come, and the conflicts; asks in a terminal'],
        ['throughline merge plan-b --yes --take newest', 'where both speak, what was said last holds'],
        ['throughline merge plan-b --yes --resolve 1=ours,2=both', 'conflict by conflict'],
        ['throughline merge plan-b --into other --leave facts', 'into another session, without facts'],
        ['throughline merge plan-b --undo', 'as if it had not been merged; nothing is deleted'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MergeCommandOptions>();
      await withStore(options, (workplace) => run(workplace, reference, options));
    });
}

async function run(
  { app, lookUpAll }: Workplace,
  reference: string,
  options: MergeCommandOptions,
): Promise<void> {
  const theirs = await one(lookUpAll, reference);
  const named = options.into === undefined ? [] : [await one(lookUpAll, options.into)];
  const branch = theirs.info.id;
  const into = named[0]?.info.id ?? theirs.info.parent?.session;
  const found = [theirs, ...named];
  if (options.undo || options.yes)
    await agreeToFound(found, options.undo ? 'Take the merge back?' : 'Merge?', {
      undone: options.undo ? 'Nothing was taken back' : 'Nothing was merged',
      again: () => (options.undo ? undoWords(branch, into) : mergeWords({ branch, into }, options)),
      global: options,
    });
  if (options.undo) return undo(app, { branch, into, json: options.json });
  const settle = { rule: options.take, choices: choicesOf(options.resolve), leave: leaveOf(options.leave) };
  const { mergeBranchOperation: mergeBranch, previewMergeOperation: previewMerge } = await import(
    '../../../operations/branch/index.ts'
  );
  if (options.yes)
    return show(await perform(mergeBranch, { branch, into, ...settle, plan: options.plan }, app), options);
  const preview = await perform(previewMerge, { branch, into, ...settle }, app);
  if (options.json) return printJson(printedBy(previewMerge, 'merge', preview));
  // The question below the preview is about sessions, so it has to be seen which ones the words stand for.
  for (const guess of guessesIn(found)) note(sayGuess(guess));
  await printLines(preview.nothing ? renderMerged(preview) : renderMergePreview(preview));
  if (preview.nothing) return;
  if (options.preview || !canAsk()) {
    for (const line of sayNextSteps(preview, options)) note(dimNote(line));
    return;
  }
  const { choices, leave } = await askAboutMerge(preview);
  const answered = {
    rule: options.take,
    choices: [...settle.choices, ...choicesOf(choices)],
    leave: [...settle.leave, ...leave],
    plan: preview.plan,
  };
  await show(await perform(mergeBranch, { branch, into, ...answered }, app), options);
}

async function one(lookUpAll: Workplace['lookUpAll'], reference: string): Promise<FoundHistory> {
  const [found] = await lookUpAll([reference]);
  return found!;
}

async function show(result: MergeRecord, options: MergeCommandOptions): Promise<void> {
  const { mergeBranchOperation: mergeBranch } = await import('../../../operations/branch/index.ts');
  if (options.json) return printJson(printedBy(mergeBranch, 'merge --yes', result));
  await printLines(renderMerged(result));
  if (result.merged)
    note(dimNote(`Take it back: ${commandLine(undoWords(result.theirs.id, result.ours.id), options)}`));
}

function undoWords(branch: string, into: string | undefined): string[] {
  return ['merge', branch, ...(into === undefined ? [] : ['--into', into]), '--undo'];
}

async function undo(
  app: Workplace['app'],
  { json, ...merge }: { branch: string; into: string | undefined; json: boolean | undefined },
): Promise<void> {
  const { undoMergeOperation: undoMerge } = await import('../../../operations/branch/index.ts');
  const undone = await perform(undoMerge, merge, app);
  const { seq, into, branch } = undone;
  await (json
    ? printJson(printedBy(undoMerge, 'merge --undo', undone))
    : printLines([`Entry ${seq} of ${into} is taken back: ${branch} counts as not merged.`]));
}

function choicesOf(choices: ReadonlyMap<number, MergeRule> = new Map()) {
  return [...choices].map(([conflict, side]) => ({ conflict, side }));
}

function leaveOf({ numbers, lists }: Unwanted = { numbers: [], lists: [] }) {
  return [...numbers, ...lists];
}
