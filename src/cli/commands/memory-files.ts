import type { Command } from 'commander';
import { createApp, perform, printedBy } from '../../operations/index.ts';
import type { SearchIndex } from '../../recall/index.ts';
import type { Store } from '../../store/index.ts';
import { helpExamples } from '../help-text.ts';
import { openIndex } from '../open-index.ts';
import { parseCount } from '../parse-option.ts';
import { renderTouches } from '../render/render-touches.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type ProjectOptions, withProject } from '../with-project.ts';

interface FilesOptions extends ProjectOptions {
  limit?: number;
}

const DEFAULT_LIMIT = 20;

export function addFilesCommand(memory: Command): void {
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
        const { listTouches } = await import('../../operations/memory/index.ts');
        await using index = await findIndex(store);
        await using app = createApp(store, { place, ...(index && { index }) });
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
  const { hasIndexFile } = await import('../../recall/index.ts');
  return hasIndexFile(store) ? openIndex(store, { quiet: true }).catch(() => undefined) : undefined;
}
