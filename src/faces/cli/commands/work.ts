import path from 'node:path';
import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderBoard } from '../render/render-board.ts';
import { renderLayoutExport, renderLayoutImport } from '../render/render-layout.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { addBoardCommands } from './work-board.ts';
import { type WorkCommandOptions, withWork } from './work-place.ts';
import { addRequestCommands } from './work-request.ts';
import { addWorkSessionCommands } from './work-sessions.ts';

export function addWorkCommand(program: Command): void {
  const work = program
    .command('work')
    .description(
      'Show the work of a project: its features, their tasks by state, and their sessions. Agents get their requests from here, always under budget.',
    )
    .option('--project <project>', 'an id, a name or a folder (default: the project this folder is in)')
    .option('--budget <tokens>', 'what a whole request may take (default: 100000)', parseCount)
    .option('--model <provider:model>', 'who writes summaries (default: the embedded digest)')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline work', 'features, tasks and their states'],
        [
          'throughline work feature auth --name "Sign in" --spec-file docs/auth.md',
          'add or change a feature',
        ],
        ['throughline work task auth login --title "Build the login"', 'add or change a task'],
        ['throughline work move auth login in_dev', 'the next state'],
        ['throughline work session dev-task auth login', 'the session to work in'],
        ['throughline work request dev_auth_login_in_dev "Make the tests pass"', 'what an agent is sent'],
        [
          'throughline work checkpoint dev_auth_login_in_dev',
          'done, open, decided, blocked, and tokens saved',
        ],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkCommandOptions>();
      await withWork(options, { write: false }, async ({ app, operations, project }) => {
        const board = await perform(operations.listFeatures, { project }, app);
        await (options.json
          ? printJson(printedBy(operations.listFeatures, 'work', board))
          : printLines(renderBoard(board.features)));
      });
    });
  // With their arguments the names would take the room that the descriptions need; each command's own help has them.
  work.configureHelp({ ...work.configureHelp(), subcommandTerm: (command) => command.name() });
  addBoardCommands(work);
  addWorkSessionCommands(work);
  addRequestCommands(work);
  addLayoutCommands(work);
}

/** import and export. */
function addLayoutCommands(work: Command): void {
  work
    .command('import')
    .description(
      'Read features, tasks and sessions from .dagent-worktrees, the older chat.json included. Changes nothing there.',
    )
    .argument('[folder]', "the folder that holds it (default: the project's own)")
    .addHelpText('after', helpExamples(['throughline work import', 'again later: only what is new is added']))
    .action(async (folder: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkCommandOptions>();
      await withWork(
        options,
        { write: true },
        async ({ app, operations: { importLayoutOperation: importLayout }, project }) => {
          const found = await perform(importLayout, { project, folder: folder && path.resolve(folder) }, app);
          await (options.json
            ? printJson(printedBy(importLayout, 'work import', found))
            : printLines(renderLayoutImport(found)));
        },
      );
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
      await withWork(
        options,
        { write: false },
        async ({ app, operations: { exportLayoutOperation: exportLayout }, project }) => {
          const written = await perform(
            exportLayout,
            { project, folder: folder && path.resolve(folder) },
            app,
          );
          await (options.json
            ? printJson(printedBy(exportLayout, 'work export', written))
            : printLines(renderLayoutExport(written)));
        },
      );
    });
}
