import type { Command } from 'commander';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { moveSessions } from '../move-sessions.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('Bring sessions back that were hidden or put into the trash.')
    .argument('<session...>', SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline sessions --trashed', 'what is in the trash, numbered'],
        ['throughline restore 1', 'the first one of that list is back'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ app, findAll }) =>
        moveSessions(app, await findAll(references, { trashed: true }), { ...options, to: 'active' }),
      );
    });
}
