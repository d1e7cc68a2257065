import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderCompactions, renderStanding } from '../render/render-compactions.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

const VERBS = {
  expand: {
    about: 'Put what a compaction covers back into the context. Without one, list the compactions.',
    fold: 'expanded',
  },
  collapse: {
    about: 'Hide what a compaction covers behind its summary again. Without one, list the compactions.',
    fold: 'collapsed',
  },
} as const;

export const addExpandCommand = (program: Command) => addVerb(program, 'expand');
export const addCollapseCommand = (program: Command) => addVerb(program, 'collapse');

function addVerb(program: Command, verb: keyof typeof VERBS): void {
  program
    .command(verb)
    .description(VERBS[verb].about)
    .argument('<session>', SESSION_ARGUMENT)
    .argument('[compaction]', 'its number in the list, its id, or the start of it')
    .addHelpText(
      'after',
      helpExamples(
        [`throughline ${verb} 1`, 'the compactions of a session'],
        [`throughline ${verb} 1 2`, `${verb} the second one`],
      ),
    )
    .action(async (reference: string, compaction: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, (workplace) =>
        run(workplace, { verb, reference, compaction, json: options.json === true }),
      );
    });
}

async function run(
  { store, app, find }: Workplace,
  {
    verb,
    reference,
    compaction,
    json,
  }: { verb: keyof typeof VERBS; reference: string; compaction: string | undefined; json: boolean },
): Promise<void> {
  const { foldCompaction, numberCompactions } = await import('../../../operations/compaction/index.ts');
  const info = await find(reference);
  const sessionId = info.id;
  if (compaction === undefined) {
    const listed = await perform(numberCompactions, { sessionId }, app);
    if (json) return printJson(printedBy(numberCompactions, `${verb} <session>`, listed));
    return printLines(renderCompactions(sessionId, listed.compactions));
  }
  const { findCompaction } = await import('../../../compaction/index.ts');
  const { id } = await findCompaction(store, info, compaction);
  const folded = await perform(foldCompaction, { sessionId, id, fold: VERBS[verb].fold }, app);
  if (json) return printJson(printedBy(foldCompaction, `${verb} <session> <compaction>`, folded));
  const also = folded.opened.map((number) => `Compaction ${number}, which covers it, is expanded with it.`);
  await printLines([renderStanding(folded.compaction, folded.compactions), ...also]);
}
