import { type Command, Option } from 'commander';
import { createAppOperation, perform, printedBy } from '../../../operations/index.ts';
import type { EntryId } from '../../../record/index.ts';
import { entryAt } from '../../../session/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount, parsePosition } from '../parse-option.ts';
import { renderFactHistory, renderRetracted, renderWritten } from '../render/render-fact.ts';
import { budgetLines } from '../render/render-memory.ts';
import { printJson, printJsonList, printLines } from '../terminal/print.ts';
import { type ProjectOptions, type ProjectWorkplace, withProject } from '../with-project.ts';

interface FactOptions extends ProjectOptions {
  decision?: boolean;
  session?: string;
  entry?: number | EntryId;
  reason?: string;
}

const FACT_ARGUMENT = 'the end of its id, as "throughline memory" shows it';

/** add, edit, retract, history and budget. */
export function addFactCommands(memory: Command): void {
  memory
    .command('add')
    .description('Write down a fact. One that is known in the same words is not written twice.')
    .argument('<text...>', 'one line')
    .option('--decision', 'it is a decision')
    .option('--by <name>', 'who says so (default: you)')
    .option('--session <session>', 'the session it comes from; then an agent says so')
    .addOption(
      new Option('--entry <entry>', 'the entry of that session, by number or id').argParser(parsePosition),
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory add "Tests run with vitest"', 'in the project of this folder'],
        ['throughline memory add --decision "No ORM"', 'as a decision'],
        ['throughline memory add "CI needs Java 21" --session 1 --entry 42', 'with where it was said'],
      ),
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { addProjectFact } = await import('../../../operations/memory/index.ts');
        const said = options.session === undefined ? undefined : await saidIn(workplace, options);
        await using app =
          said && createAppOperation(workplace.store, { place: workplace.place, speaker: said.speaker });
        const written = await perform(
          addProjectFact,
          {
            project: workplace.project.id,
            text: words.join(' '),
            list: options.decision ? 'decisions' : 'facts',
            sessionId: said?.sessionId,
            entries: said?.entries,
          },
          app ?? workplace.app,
        );
        await (options.json
          ? printJson(printedBy(addProjectFact, 'memory add', written))
          : printLines(renderWritten(written)));
      });
    });

  memory
    .command('edit')
    .description('Put a fact in other words. The old ones stay in its history.')
    .argument('<fact>', FACT_ARGUMENT)
    .argument('<text...>', 'one line')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText(
      'after',
      helpExamples(['throughline memory edit 1a2b3c4d "The port is 9090"', 'supersedes 1a2b3c4d']),
    )
    .action(async (reference: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async ({ app, project, findFact }) => {
        const { editProjectFact } = await import('../../../operations/memory/index.ts');
        const edited = { project: project.id, id: await findFact(reference), text: words.join(' ') };
        const written = await perform(editProjectFact, edited, app);
        await (options.json
          ? printJson(printedBy(editProjectFact, 'memory edit', written))
          : printLines(renderWritten(written)));
      });
    });

  memory
    .command('retract')
    .description('Take a fact back. It stays in the history, with your reason.')
    .argument('<fact>', FACT_ARGUMENT)
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText(
      'after',
      helpExamples(['throughline memory retract 1a2b3c4d --reason "moved to S3"', 'no longer so']),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async ({ app, project, findFact }) => {
        const { retractProjectFact } = await import('../../../operations/memory/index.ts');
        const named = { project: project.id, id: await findFact(reference), reason: options.reason };
        const retracted = await perform(retractProjectFact, named, app);
        await (options.json
          ? printJson(printedBy(retractProjectFact, 'memory retract', retracted))
          : printLines(renderRetracted(retracted)));
      });
    });

  memory
    .command('history')
    .description('Show everything that happened to a fact, and to those it stands in for; or to all of them.')
    .argument('[fact]', FACT_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory history 1a2b3c4d', 'who said it, what it said before'],
        ['throughline memory history', 'everything, oldest first'],
      ),
    )
    .action(async (reference: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: false }, async ({ app, project, findFact }) => {
        const { showHistory } = await import('../../../operations/memory/index.ts');
        const id = reference === undefined ? undefined : await findFact(reference);
        const history = await perform(showHistory, { project: project.id, id }, app);
        await (options.json
          ? printJsonList(printedBy(showHistory, 'memory history', history) as unknown[])
          : printLines(renderFactHistory(history.steps)));
      });
    });

  memory
    .command('budget')
    .description("Set how many tokens a project's facts may take in a context.")
    .argument('[tokens]', 'without it, what is usual again', parseCount)
    .addHelpText('after', helpExamples(['throughline memory budget 8000', 'for this project, from now on']))
    .action(async (tokens: number | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async ({ app, project }) => {
        const { setFactBudget } = await import('../../../operations/memory/index.ts');
        const set = await perform(setFactBudget, { project: project.id, tokens }, app);
        await (options.json
          ? printJson(printedBy(setFactBudget, 'memory budget', set))
          : printLines(budgetLines(set.budget)));
      });
    });
}

/** An agent found it out in the session that is named; the entry is looked up by its number or id. */
async function saidIn({ store, find }: ProjectWorkplace, { by, session, entry }: FactOptions) {
  const info = await find(session!);
  const name = by ?? info.state.settings.agent?.slice(0, LONGEST_NAME);
  return {
    speaker: { by: 'agent', ...(name && { name }) } as const,
    sessionId: info.id,
    entries: entry === undefined ? undefined : [(await entryAt(store, info, entry)).id],
  };
}

const LONGEST_NAME = 200;
