import { type Command, Option } from 'commander';
import type { MergeOptions, MergePreview, MergeResult, MergeRule } from '../../branches/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { getSession, openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { agreeToFound, type Found, guessesIn, sayGuess } from '../agree-to-found.ts';
import { askAboutMerge } from '../ask-about-merge.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseChoices, parseUnwanted, RULES, type Unwanted } from '../parse-merge.ts';
import { renderMerged, renderMergePreview, sayNextSteps } from '../render/render-merge.ts';
import { canAsk } from '../terminal/confirm.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
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
    .addOption(new Option('--take <rule>', 'settles every conflict that is not resolved').choices([...RULES]))
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
  { store, lookUpAll }: Workplace,
  reference: string,
  options: MergeCommandOptions,
): Promise<void> {
  const [theirs, ...named] = [
    await one(lookUpAll, reference),
    ...(options.into === undefined ? [] : [await one(lookUpAll, options.into)]),
  ] as const;
  const branch = theirs.info;
  // The session that the branch came from is known by its id: it is that one or none.
  const into = named[0]?.info ?? (await getSession(store, parentOf(branch)));
  const found = [theirs, ...named];
  if (options.undo || options.yes)
    await agreeToFound(found, options.undo ? 'Take the merge back?' : 'Merge?', {
      undone: options.undo ? 'Nothing was taken back' : 'Nothing was merged',
      again: () => `throughline merge ${branch.id} --into ${into.id} ${options.undo ? '--undo' : '--yes'}`,
      json: options.json,
    });
  if (options.undo) return undo(store, { into, branch, json: options.json });
  const { previewMerge } = await import('../../branches/index.ts');
  const settle = { rule: options.take, choices: options.resolve };
  const first = await previewMerge(store, into, branch, settle);
  const settled = { ...settle, leave: numbersOf(options.leave, first), plan: options.plan };
  checkNumbers(first, settled);
  const preview = options.leave ? await previewMerge(store, into, branch, settled) : first;
  if (options.yes) return show(await merge(store, { into, branch, options: settled }), options);
  // The question below the preview is about sessions, so it has to be seen which ones the words stand for.
  if (!options.json) for (const guess of guessesIn(found)) note(sayGuess(guess));
  if (!options.json) await printLines(preview.nothing ? renderMerged(preview) : renderMergePreview(preview));
  if (options.json) return printJson(describe(preview));
  if (preview.nothing) return;
  if (options.preview || !canAsk()) {
    for (const line of sayNextSteps(preview, options)) note(dimNote(line));
    return;
  }
  const { choices, leave } = await askAboutMerge(preview);
  const answered = {
    rule: options.take,
    choices: new Map([...(options.resolve ?? []), ...choices]),
    leave: new Set([...settled.leave, ...leave]),
    plan: preview.plan,
  };
  await show(await merge(store, { into, branch, options: answered }), options);
}

async function one(lookUpAll: Workplace['lookUpAll'], reference: string): Promise<Found> {
  const [found] = await lookUpAll([reference]);
  return found!;
}

async function merge(
  store: Store,
  { into, branch, options }: { into: SessionInfo; branch: SessionInfo; options: MergeOptions },
): Promise<MergeResult> {
  const { mergeBranch } = await import('../../branches/index.ts');
  await using session = await openSession(store, into.id, { owner: 'throughline merge' });
  return await mergeBranch(session, branch, options);
}

async function show(result: MergeResult, { json }: MergeCommandOptions): Promise<void> {
  if (json) return printJson(describe(result));
  await printLines(renderMerged(result));
  if (result.entry)
    note(dimNote(`Take it back: throughline merge ${result.theirs.id} --into ${result.ours.id} --undo`));
}

/** The contract of `--json`: whether something was written, and where. */
function describe({ entry, ...preview }: MergeResult) {
  return { merged: entry !== undefined, entry: entry?.id ?? null, seq: entry?.seq ?? null, ...preview };
}

async function undo(
  store: Store,
  { into, branch, json }: { into: SessionInfo; branch: SessionInfo; json: boolean | undefined },
): Promise<void> {
  const { readMerges, undoMerge } = await import('../../branches/index.ts');
  const merges = await readMerges(store, [{ info: into, upTo: into.head }]);
  const last = merges.find(({ body }) => body.branch === branch.id);
  if (!last) throw usageError(`There is nothing to take back: ${branch.id} is not merged into ${into.id}.`);
  await using session = await openSession(store, into.id, { mode: 'join' });
  await undoMerge(session, last.id);
  const undone = { into: into.id, branch: branch.id, undone: last.id, seq: last.seq };
  await (json
    ? printJson(undone)
    : printLines([`Entry ${last.seq} of ${into.id} is taken back: ${branch.id} counts as not merged.`]));
}

function parentOf({ id, parent }: SessionInfo): string {
  if (parent) return parent.session;
  throw usageError(`${id} came from no other session, so say which one to merge it into: --into <session>.`);
}

function numbersOf(unwanted: Unwanted | undefined, { brings }: MergePreview): ReadonlySet<number> {
  const listed = brings.filter(({ list }) => unwanted?.lists.includes(list)).map(({ number }) => number);
  return new Set([...(unwanted?.numbers ?? []), ...listed]);
}

/** A number that is not there was meant for something else. */
function checkNumbers(
  { conflicts, brings }: MergePreview,
  { choices, leave }: { choices: ReadonlyMap<number, MergeRule> | undefined; leave: ReadonlySet<number> },
): void {
  const conflict = [...(choices?.keys() ?? [])].find((number) => number < 1 || number > conflicts.length);
  if (conflict !== undefined)
    throw usageError(`There is no conflict ${conflict}; there are ${conflicts.length}.`);
  const line = [...leave].find((number) => number < 1 || number > brings.length);
  if (line !== undefined)
    throw usageError(`There is no line ${line} to leave out; ${brings.length} would come.`);
}
