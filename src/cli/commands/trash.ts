import type { Command } from 'commander';
import { trashSession } from '../../session/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { moveSessions } from '../move-sessions.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addTrashCommand(program: Command): void {
  program
    .command('trash')
    .description('Put sessions into the trash. They stay there, whole, until you restore or purge them.')
    .argument('<session...>', SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline trash 2 3', 'two sessions of the last list'],
        ['throughline sessions --trashed', 'what is in the trash'],
        ['throughline restore 1', 'the first one of that list is back'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ store, findAll }) =>
        moveSessions(store, await findAll(references, { trashed: true }), {
          ...options,
          to: 'trashed',
          move: trashSession,
        }),
      );
    });
}
