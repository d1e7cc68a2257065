import type { Command } from 'commander';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { moveSessions } from '../move-sessions.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addHideCommand(program: Command): void {
  program
    .command('hide')
    .description('Take sessions out of the list. Nothing in them changes; "restore" brings them back.')
    .argument('<session...>', SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline hide 2 3', 'two sessions of the last list'],
        ['throughline sessions --hidden', 'what is hidden'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ app, findAll }) =>
        moveSessions(app, await findAll(references), { ...options, to: 'archived' }),
      );
    });
}
