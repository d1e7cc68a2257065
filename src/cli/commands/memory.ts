import type { Command } from 'commander';
import { perform, printedBy } from '../../operations/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderMemory } from '../render/render-memory.ts';
import { print, printJson, printLines } from '../terminal/print.ts';
import { type ProjectOptions, withProject } from '../with-project.ts';
import { addFactCommands } from './memory-facts.ts';
import { addFilesCommand } from './memory-files.ts';
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
        const { showMemory } = await import('../../operations/memory/index.ts');
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
