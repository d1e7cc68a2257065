import type { Command } from 'commander';
import { ThroughlineError } from '../../errors.ts';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import { purgeSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { type Found, guessesIn, refuseGuesses, sayGuess } from '../agree-to-found.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { forgetInLists } from '../last-list.ts';
import { ownEntries, planPurge } from '../plan-purge.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJsonList, printLines } from '../terminal/print.ts';
import { sayBytes, sayCount } from '../terminal/say.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

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
      await withStore(options, async ({ store, choice, lookUpAll }) => {
        const found = await lookUpAll(references, { trashed: true });
        const sessions = await planPurge(
          store,
          found.map(({ info }) => info),
        );
        if (options.dryRun) return preview(sessions, options);
        await agree(sessions, found, options);
        const gone = await purge(store, sessions, options);
        forgetInLists(choice.location, gone);
        // The recall room is loaded only here: most commands never search.
        const { forgetInIndexes } = await import('../../recall/index.ts');
        const progress = showProgress('Taking it out of the search index');
        await forgetInIndexes(store, gone, { onProgress: progress.onProgress }).finally(progress.end);
      });
    });
}

async function preview(sessions: readonly SessionInfo[], { json }: PurgeOptions): Promise<void> {
  if (!json) return printLines(['Would be deleted for good:', ...sessions.map(sayGoing)]);
  const going = sessions.map((session) => ({
    id: session.id,
    title: titleOf(session.state),
    entries: ownEntries(session),
    purged: false,
  }));
  await printJsonList(going);
}

async function agree(
  sessions: readonly SessionInfo[],
  found: readonly Found[],
  { json, yes }: PurgeOptions,
): Promise<void> {
  const again = (ids: readonly string[]) => ['throughline purge', ...ids, '--yes'].join(' ');
  refuseGuesses(found, { undone: 'Nothing was purged', again, json });
  const guesses = guessesIn(found);
  if (yes && guesses.length === 0) return;
  if (json || !canAsk()) {
    throw usageError('Nothing was purged: purging cannot be undone. Look with --dry-run, then add --yes.');
  }
  const lines = [...guesses.map(sayGuess), 'This deletes for good:', ...sessions.map(sayGoing)];
  for (const line of lines) note(line);
  const agreed = await confirm(`Purge ${sayCount(sessions.length, 'session')}? It cannot be undone.`);
  if (!agreed) throw new ThroughlineError('cancelled', 'Nothing was purged.');
}

async function purge(
  store: Store,
  sessions: readonly SessionInfo[],
  { json }: PurgeOptions,
): Promise<string[]> {
  const reports = [];
  for (const session of sessions) {
    const report = await purgeSession(store, session);
    reports.push({ id: session.id, title: titleOf(session.state), ...report, purged: true });
  }
  if (json) await printJsonList(reports);
  else {
    await printLines(
      reports.map(({ id, entries, blobs, bytes }) => {
        const what = [sayCount(entries, 'entry', 'entries'), sayCount(blobs, 'blob'), sayBytes(bytes)];
        return `Purged ${id}: ${what.join(', ')}.`;
      }),
    );
  }
  return sessions.map(({ id }) => id);
}

function sayGoing(session: SessionInfo): string {
  const { id, totals, state } = session;
  const entries = sayCount(ownEntries(session), 'entry', 'entries');
  const messages = sayCount(totals.messages, 'message');
  return `  ${id}  ${visibleLine(titleOf(state)) || '(untitled)'}  (${entries} of its own, ${messages} in all)`;
}
