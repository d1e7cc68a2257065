import type { Command } from 'commander';
import { archiveSession } from '../../session/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { moveSessions } from '../move-sessions.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

export function addArchiveCommand(program: Command): void {
  program
    .command('archive')
    .description('Take sessions out of the list. Nothing in them changes; "restore" brings them back.')
    .argument('<session...>', SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline archive 2 3', 'two sessions of the last list'],
        ['throughline sessions --archived', 'what is in the archive'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ store, findAll }) =>
        moveSessions(store, await findAll(references), { ...options, to: 'archived', move: archiveSession }),
      );
    });
}
