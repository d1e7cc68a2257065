import type { Command } from 'commander';
import { ThroughlineError } from '../../../errors.ts';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import { sayCount } from '../../../text/index.ts';
import { placeIn, remoteIn, withArchiveOptions } from '../archive-options.ts';
import { helpExamples } from '../help-text.ts';
import { renderArchiveScrub, renderLeftovers, renderPushed } from '../render/render-archive.ts';
import { readSecrets, type SecretOptions, withSecretOptions } from '../secret-options.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import type { ArchiveFlags } from './archive.ts';

interface ArchiveScrubOptions extends ArchiveFlags, SecretOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

export function addArchiveScrubCommand(archive: Command): void {
  withSecretOptions(withArchiveOptions(archive.command('scrub')))
    .description(
      'Take secrets out of everything that was ever archived: the history of the branch is made anew. Without --text or --pattern, whatever the scanner finds today.',
    )
    .argument('[name...]', 'only these, as the list shows them')
    .option('--dry-run', 'only say what would change')
    .option('--vault', 'keep what is taken out beside the archive, for you alone')
    .option('--no-vault', 'empty the vaults of what is scrubbed')
    .option('--prune', 'delete what is left of the old history in this repository, where nobody needs it')
    .option('--push [remote]', 'replace what a remote has, if it has nothing else (default: origin)')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline archive scrub --dry-run', 'what the scanner of today finds'],
        ['throughline archive scrub --text-from - --prune', 'type the secret, then Ctrl-D'],
        ['throughline archive scrub --pattern "corp-[0-9a-f]{32}" --push', 'here, and at the remote'],
      ),
    )
    .action(async (names: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveScrubOptions>();
      await run(names, options);
    });
}

async function run(names: readonly string[], options: ArchiveScrubOptions): Promise<void> {
  const { scrubArchiveOperation: scrubArchive } = await import('../../../operations/archive/index.ts');
  const { end, ...progress } = showProgress('Looking through the archive');
  const { dryRun = false, prune = false, vault, json } = options;
  const agree = async ({ rewritten }: { rewritten: number }) => {
    end();
    if (!options.yes) await ask(rewritten, options);
  };
  const scrubbed = await perform(
    scrubArchive,
    {
      ...placeIn(options),
      ...readSecrets(options),
      ...remoteIn(options),
      names: [...names],
      dryRun,
      prune,
      ...(vault !== undefined && { vault }),
    },
    { ...OWN_MACHINE, agree },
    progress,
  ).finally(end);
  if (json) return printJson(printedBy(scrubArchive, 'archive scrub', scrubbed));
  const { pushed, left } = scrubbed;
  await printLines([
    ...renderArchiveScrub(scrubbed),
    ...(pushed ? [renderPushed(pushed)] : []),
    ...(left ? renderLeftovers(left, { pruned: prune, pushed: pushed !== undefined }) : []),
  ]);
}

async function ask(commits: number, { json }: ArchiveScrubOptions): Promise<void> {
  if (json || !canAsk())
    throw usageError('Nothing was scrubbed: it cannot be undone. Look with --dry-run, then add --yes.');
  note(`${sayCount(commits, 'commit')} of the archive will be made anew; clones keep the old ones.`);
  if (!(await confirm('Scrub the archive? It cannot be undone.')))
    throw new ThroughlineError('cancelled', 'Nothing was scrubbed.');
}
