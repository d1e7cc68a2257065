import type { Command } from 'commander';
import { sayCount } from '../../../text/index.ts';
import { agreeToFound } from '../agree-to-found.ts';
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
        ['throughline trash 2 3', 'two sessions of the last list; shows them and asks'],
        ['throughline sessions --trashed', 'what is in the trash'],
        ['throughline restore 1', 'the first one of that list is back'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ app, lookUpAll }) => {
        const found = await lookUpAll(references, { trashed: true });
        await agreeToFound(found, `Put ${sayCount(found.length, 'session')} into the trash?`, {
          undone: 'Nothing was put into the trash',
          again: (ids) => ['trash', ...ids],
          global: options,
        });
        const sessions = found.map(({ info }) => info);
        await moveSessions(app, sessions, { ...options, to: 'trashed' });
      });
    });
}
