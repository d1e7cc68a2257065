import path from 'node:path';
import type { Command } from 'commander';
import { helpExamples } from '../help-text.ts';
import { renderLayoutExport, renderLayoutImport } from '../render/render-layout.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type WorkCommandOptions, withWork } from './work-place.ts';

/** import and export. */
export function addLayoutCommands(work: Command): void {
  work
    .command('import')
    .description(
      'Read features, tasks and sessions from .dagent-worktrees, the older chat.json included. Changes nothing there.',
    )
    .argument('[folder]', "the folder that holds it (default: the project's own)")
    .addHelpText('after', helpExamples(['throughline work import', 'again later: only what is new is added']))
    .action(async (folder: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkCommandOptions>();
      await withWork(options, { write: true }, async ({ work: desk }) => {
        const found = await desk.importLayout(folder && path.resolve(folder));
        await (options.json ? printJson(found) : printLines(renderLayoutImport(found)));
      });
    });

  work
    .command('export')
    .description(
      'Write features, tasks and sessions as .dagent-worktrees. What cannot be read there, or is known nowhere else, is kept aside.',
    )
    .argument('[folder]', "the folder that is to hold it (default: the project's own)")
    .addHelpText(
      'after',
      helpExamples(['throughline work export /tmp/shop', 'feature.json, task.json, four files a session']),
    )
    .action(async (folder: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkCommandOptions>();
      await withWork(options, { write: false }, async ({ work: desk }) => {
        const written = await desk.exportLayout(folder && path.resolve(folder));
        await (options.json ? printJson(written) : printLines(renderLayoutExport(written)));
      });
    });
}
