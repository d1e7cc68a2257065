import type { Command } from 'commander';
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
      await withProject(options, { write: false }, async ({ store, memory: room, project }) => {
        await using index = await findIndex(store);
        const history = await room.fileHistory(store, project, named, {
          limit: options.limit ?? DEFAULT_LIMIT,
          ...(index && { recall: await index.open() }),
          ...(options.project === undefined && { folder: process.cwd() }),
        });
        await (options.json ? printJson(history) : printLines(renderTouches(history)));
      });
    });
}

/** The search index, if there is a file of it: making one for a single question takes longer than reading the logs. */
async function findIndex(store: Store): Promise<SearchIndex | undefined> {
  const { hasIndexFile } = await import('../../recall/index.ts');
  if (!hasIndexFile(store)) return undefined;
  try {
    return await openIndex(store, { quiet: true });
  } catch {
    // Without an index the answer is the same, only slower.
    return undefined;
  }
}
