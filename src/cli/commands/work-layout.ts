import path from 'node:path';
import type { Command } from 'commander';
import { perform, printedBy } from '../../operations/index.ts';
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
      await withWork(options, { write: true }, async ({ app, operations: { importLayout }, project }) => {
        const found = await perform(importLayout, { project, folder: folder && path.resolve(folder) }, app);
        await (options.json
          ? printJson(printedBy(importLayout, 'work import', found))
          : printLines(renderLayoutImport(found)));
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
      await withWork(options, { write: false }, async ({ app, operations: { exportLayout }, project }) => {
        const written = await perform(exportLayout, { project, folder: folder && path.resolve(folder) }, app);
        await (options.json
          ? printJson(printedBy(exportLayout, 'work export', written))
          : printLines(renderLayoutExport(written)));
      });
    });
}
