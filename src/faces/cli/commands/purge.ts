import type { Command } from 'commander';
import { ThroughlineError } from '../../../errors.ts';
import { type OperationResult, OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { purgeSessions } from '../../../operations/session/index.ts';
import { sayCount, sayTitle } from '../../../text/index.ts';
import { type FoundHistory, guessesIn, refuseGuesses, sayGuess } from '../agree-to-found.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { forgetInLists } from '../last-list.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJsonList, printLines } from '../terminal/print.ts';
import { sayBytes } from '../terminal/say.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

type Purged = OperationResult<typeof purgeSessions>;

interface PurgeOptions extends GlobalOptions {
  yes?: boolean;
  dryRun?: boolean;
}

export function addPurgeCommand(program: Command): void {
  program
    .command('purge')
    .description('Delete sessions for good, with all that only they use. Only from the trash.')
    .argument('<session...>', SESSION_ARGUMENT)
    .option('-y, --yes', 'do not ask about sessions that are named by their whole id')
    .option('--dry-run', 'only say what would go')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline sessions --trashed', 'what is in the trash, numbered'],
        ['throughline purge 1 2 --dry-run', 'what would go'],
        ['throughline purge 1 2', 'asks, then deletes'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PurgeOptions>();
      await withStore(options, async ({ app, choice, lookUpAll }) => {
        const { purgeSessions } = await import('../../../operations/session/index.ts');
        const found = await lookUpAll(references, { trashed: true });
        const { end, ...progress } = showProgress('Taking it out of the search index');
        const purged = await perform(
          purgeSessions,
          { sessions: found.map(({ info }) => info.id), dryRun: options.dryRun === true },
          { ...OWN_MACHINE, store: app.store, agree: (plan) => agree(plan, found, options) },
          progress,
        ).finally(end);
        if (!options.dryRun)
          forgetInLists(
            choice.location,
            purged.sessions.map(({ id }) => id),
          );
        if (options.json) return printJsonList(printedBy(purgeSessions, 'purge', purged) as unknown[]);
        await printLines(
          options.dryRun ? ['Would be deleted for good:', ...sayGoing(purged)] : sayGone(purged),
        );
      });
    });
}

async function agree(plan: Purged, found: readonly FoundHistory[], options: PurgeOptions): Promise<void> {
  const { json, yes } = options;
  const again = (ids: readonly string[]) => ['purge', ...ids, '--yes'];
  refuseGuesses(found, { undone: 'Nothing was purged', again, global: options });
  const guesses = guessesIn(found);
  if (yes && guesses.length === 0) return;
  if (json || !canAsk()) {
    throw usageError('Nothing was purged: purging cannot be undone. Look with --dry-run, then add --yes.');
  }
  const lines = [...guesses.map(sayGuess), 'This deletes for good:', ...sayGoing(plan)];
  for (const line of lines) note(line);
  const agreed = await confirm(`Purge ${sayCount(plan.sessions.length, 'session')}? It cannot be undone.`);
  if (!agreed) throw new ThroughlineError('cancelled', 'Nothing was purged.');
}

function sayGoing({ sessions }: Purged): string[] {
  return sessions.map(({ id, title, entries, messages }) => {
    const facts = `${sayCount(entries, 'entry', 'entries')} of its own, ${sayCount(messages, 'message')} in all`;
    return `  ${id}  ${visibleLine(sayTitle(title))}  (${facts})`;
  });
}

function sayGone({ sessions }: Purged): string[] {
  return sessions.flatMap((session) => {
    if (!session.purged) return [];
    const { id, entries, blobs, bytes } = session;
    const what = [sayCount(entries, 'entry', 'entries'), sayCount(blobs, 'blob'), sayBytes(bytes)];
    return `Purged ${id}: ${what.join(', ')}.`;
  });
}
