import type { Command } from 'commander';
import { ThroughlineError } from '../../../errors.ts';
import { type OperationResult, OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { scrubStoreOperation } from '../../../operations/store/index.ts';
import type { SessionId } from '../../../record/index.ts';
import { sayCount } from '../../../text/index.ts';
import { guessesIn, refuseGuesses, sayGuess } from '../agree-to-found.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderScrub } from '../render/render-scrub.ts';
import { readSecrets, type SecretOptions, withSecretOptions } from '../secret-options.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { showParts } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

type Scrubbed = OperationResult<typeof scrubStoreOperation>;

interface ScrubOptions extends GlobalOptions, SecretOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function addScrubCommand(program: Command): void {
  withSecretOptions(program.command('scrub'))
    .description(
      'Take secrets out of sessions for good: out of the log, what projects know, the search index and transcripts. Without --text or --pattern, whatever the scanner finds today.',
    )
    .argument('[session...]', `${SESSION_ARGUMENT} (default: everything in the store)`)
    .option('--dry-run', 'only say what would change')
    .option('-y, --yes', 'do not ask about sessions that are named by their whole id')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline scrub --dry-run', 'what the scanner of today finds'],
        ['throughline scrub --text-from -', 'type the secret, then Ctrl-D'],
        ['throughline archive scrub --text-from -', 'the same in the archive and its history'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ScrubOptions>();
      await withStore(options, (opened) => run(opened, references, options));
    });
}

async function run(
  { store, lookUpAll }: Workplace,
  references: readonly string[],
  options: ScrubOptions,
): Promise<void> {
  const { scrubStoreOperation: scrubStore } = await import('../../../operations/store/index.ts');
  const secrets = readSecrets(options);
  const named = references.length === 0 ? undefined : await lookUpAll(references, { trashed: true });
  const dryRun = options.dryRun === true;
  if (named && !dryRun)
    refuseGuesses(named, { undone: 'Nothing was scrubbed', again: againWith(options), global: options });
  const { end, onProgress } = showParts({
    look: 'Looking through the sessions',
    index: 'Taking it out of the search index',
    scrub: 'Scrubbing',
  });
  const agree = async (found: Pick<Scrubbed, 'sessions' | 'secrets'>) => {
    end();
    const guesses = guessesIn(named ?? []);
    for (const guess of guesses) note(sayGuess(guess));
    if (!options.yes || guesses.length > 0) await ask(found, options);
  };
  const scrubbed = await perform(
    scrubStore,
    { ...secrets, dryRun, ...(named && { sessions: named.map(({ info }) => info.id) }) },
    { ...OWN_MACHINE, store, agree },
    { onProgress },
  ).finally(end);
  await (options.json
    ? printJson(printedBy(scrubStore, 'scrub', scrubbed))
    : printLines(renderScrub(scrubbed)));
  if (scrubbed.busy.length > 0)
    throw new ThroughlineError(
      'lease-held',
      `Somebody is writing in ${scrubbed.busy.join(', ')}: close that, and scrub again.`,
      { details: { sessions: scrubbed.busy } },
    );
}

/** The command again, without the secret: a message is no place for it. */
function againWith({ yes }: ScrubOptions): (ids: readonly SessionId[]) => string[] {
  return (ids) => ['scrub', ...ids, '…', ...(yes ? ['--yes'] : [])];
}

async function ask(
  { sessions, secrets }: Pick<Scrubbed, 'sessions' | 'secrets'>,
  { json }: ScrubOptions,
): Promise<void> {
  if (json || !canAsk())
    throw usageError('Nothing was scrubbed: it cannot be undone. Look with --dry-run, then add --yes.');
  const where = sayCount(sessions.length, 'session');
  if (!(await confirm(`Take ${sayCount(secrets, 'secret')} out of ${where}? It cannot be undone.`)))
    throw new ThroughlineError('cancelled', 'Nothing was scrubbed.');
}
