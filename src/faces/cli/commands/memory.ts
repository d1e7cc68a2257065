import type { Command } from 'commander';
import { createAppOperation, perform, printedBy } from '../../../operations/index.ts';
import type { SearchIndex } from '../../../search/index.ts';
import type { Store } from '../../../store/index.ts';
import { helpExamples } from '../help-text.ts';
import { openChosenIndex } from '../open-index.ts';
import { parseCount } from '../parse-option.ts';
import { renderMemory } from '../render/render-memory.ts';
import { renderTouches } from '../render/render-touches.ts';
import { print, printJson, printLines } from '../terminal/print.ts';
import { type ProjectOptions, withProject } from '../with-project.ts';
import { addFactCommands } from './memory-facts.ts';
import { addProposalCommands } from './memory-proposals.ts';

interface MemoryOptions extends ProjectOptions {
  budget?: number;
  text?: boolean;
}

export function addMemoryCommand(program: Command): void {
  const memory = program
    .command('memory')
    .description(
      'Show what is known about a project, and how much of its budget that takes. Facts are never overwritten: what stands in for what can be looked up.',
    )
    .option('--project <project>', 'an id, a name or a folder (default: the project this folder is in)')
    .option('--budget <tokens>', 'as if the facts had this much room', parseCount)
    .option('--text', 'print what a model is shown, word for word')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory', 'what is known, and the room that is left'],
        ['throughline memory add "The API listens on 8080"', 'write it down'],
        ['throughline memory edit 1a2b3c4d "It listens on 9090"', 'say it anew; the old words are kept'],
        ['throughline memory proposals', 'what summaries suggest, to accept or decline'],
        ['throughline memory files src/auth', 'who touched it, when and why'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<MemoryOptions>();
      await withProject(options, { write: false }, async ({ app, project }) => {
        const { showMemory } = await import('../../../operations/memory/index.ts');
        const shown = await perform(showMemory, { project: project.id, tokens: options.budget }, app);
        if (options.json) return printJson(printedBy(showMemory, 'memory', shown));
        if (options.text) return print(shown.text === '' ? '' : `${shown.text}\n`);
        return printLines(renderMemory(shown));
      });
    });
  addFactCommands(memory);
  addProposalCommands(memory);
  addFilesCommand(memory);
}

interface FilesOptions extends ProjectOptions {
  limit?: number;
}

const DEFAULT_LIMIT = 20;

function addFilesCommand(memory: Command): void {
  memory
    .command('files')
    .description(
      'Show which sessions touched a file, or what is in a folder: when, how, and what was asked for.',
    )
    .argument('<path>', 'a file or a folder of the project; the end of a path is enough')
    .option('-n, --limit <count>', `how many touches to show (default: ${DEFAULT_LIMIT})`, parseCount)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory files src/auth.ts', 'the history of one file'],
        ['throughline memory files src/auth -n 100', 'of everything in a folder'],
        ['throughline memory files . --json', 'of the whole project, for a script'],
      ),
    )
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FilesOptions>();
      await withProject(options, { write: false }, async ({ store, place, project }) => {
        const { listTouches } = await import('../../../operations/memory/index.ts');
        await using index = await findIndex(store);
        await using app = createAppOperation(store, { place, ...(index && { index }) });
        const touches = await perform(
          listTouches,
          {
            project: project.id,
            path: named,
            limit: options.limit ?? DEFAULT_LIMIT,
            folder: options.project === undefined ? process.cwd() : undefined,
          },
          app,
        );
        await (options.json
          ? printJson(printedBy(listTouches, 'memory files', touches))
          : printLines(renderTouches(touches)));
      });
    });
}

/** The search index that there is, caught up while a line shows the progress. */
async function findIndex(store: Store): Promise<SearchIndex | undefined> {
  const { hasIndexFile } = await import('../../../search/index.ts');
  return hasIndexFile(store) ? openChosenIndex(store, { quiet: true }).catch(() => undefined) : undefined;
}
