import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import type { StoreScrub } from '../../scrub/index.ts';
import { mirrorFile } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { guessesIn, refuseGuesses, sayGuess } from '../agree-to-found.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderScrub } from '../render/render-scrub.ts';
import { chooseSecrets, type SecretOptions, withSecretOptions } from '../secret-options.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { sayCount } from '../terminal/say.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

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
  { store, choice, lookUpAll }: Workplace,
  references: readonly string[],
  options: ScrubOptions,
): Promise<void> {
  const { scrubStore } = await import('../../scrub/index.ts');
  const find = await chooseSecrets(options);
  const named = references.length === 0 ? undefined : await lookUpAll(references, { trashed: true });
  if (named && !options.dryRun)
    refuseGuesses(named, { undone: 'Nothing was scrubbed', again: commandFor(options), json: options.json });
  const go = async (dryRun: boolean): Promise<StoreScrub> => {
    const progress = showProgress(dryRun ? 'Looking through the sessions' : 'Scrubbing');
    const sessions = named?.map(({ info }) => info.id);
    return scrubStore(store, { find, dryRun, ...(sessions && { sessions }), ...progress }).finally(
      progress.end,
    );
  };
  let scrubbed = await go(true);
  const dryRun = options.dryRun === true;
  if (!dryRun && scrubbed.sessions.length > 0) {
    const guesses = guessesIn(named ?? []);
    for (const guess of guesses) note(sayGuess(guess));
    if (!options.yes || guesses.length > 0) await ask(scrubbed, options);
    const ids = scrubbed.sessions.map(({ id }) => id);
    // Before and after: once the logs are clean nobody would know any more that the index is not.
    await forgetInIndex(store, ids);
    scrubbed = await go(false);
    await forgetInIndex(store, ids);
    await writeAgain({ store, choice }, ids);
  }
  await (options.json ? printJson({ dryRun, ...scrubbed }) : printLines(renderScrub(scrubbed, { dryRun })));
  if (scrubbed.busy.length > 0)
    throw new ThroughlineError(
      'lease-held',
      `Somebody is writing in ${scrubbed.busy.join(', ')}: close that, and scrub again.`,
      { details: { sessions: scrubbed.busy } },
    );
}

/** Without the secret itself, which is nothing for a message. */
function commandFor({ yes }: ScrubOptions): (ids: readonly SessionId[]) => string {
  return (ids) => ['throughline scrub', ...ids, '…', ...(yes ? ['--yes'] : [])].join(' ');
}

async function ask({ sessions, secrets }: StoreScrub, { json }: ScrubOptions): Promise<void> {
  if (json || !canAsk())
    throw usageError('Nothing was scrubbed: it cannot be undone. Look with --dry-run, then add --yes.');
  const where = sayCount(sessions.length, 'session');
  if (!(await confirm(`Take ${sayCount(secrets, 'secret')} out of ${where}? It cannot be undone.`)))
    throw new ThroughlineError('cancelled', 'Nothing was scrubbed.');
}

async function forgetInIndex(store: Store, ids: readonly SessionId[]): Promise<void> {
  const { forgetInIndexes } = await import('../../recall/index.ts');
  const progress = showProgress('Taking it out of the search index');
  await forgetInIndexes(store, ids, { onProgress: progress.onProgress }).finally(progress.end);
}

/** The transcripts that lie beside the store. */
async function writeAgain(
  { store, choice }: Pick<Workplace, 'store' | 'choice'>,
  ids: readonly SessionId[],
): Promise<void> {
  const { writeMirror } = await import('../chat/write-mirror.ts');
  for (const id of ids) {
    const info = existsSync(mirrorFile(choice.location, id)) ? await store.session(id) : undefined;
    if (info) await writeMirror(store, info, { location: choice.location });
  }
}
