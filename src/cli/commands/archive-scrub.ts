import type { Command } from 'commander';
import type { GitBranch } from '../../archive/index.ts';
import { ThroughlineError } from '../../errors.ts';
import { helpExamples } from '../help-text.ts';
import { openGitArchive, vaultKey, withArchiveOptions } from '../open-archive.ts';
import { renderArchiveScrub, renderLeftovers, renderPushed } from '../render/render-archive.ts';
import { chooseSecrets, type SecretOptions, withSecretOptions } from '../secret-options.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { sayCount } from '../terminal/say.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import type { ArchiveOptions } from './archive.ts';

export interface ArchiveScrubOptions extends ArchiveOptions, SecretOptions {
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
      if (options.github !== undefined)
        throw usageError(
          'The history of a branch at GitHub is made anew in a clone: scrub there with --push.',
        );
      await run(names, options);
    });
}

async function run(names: readonly string[], options: ArchiveScrubOptions): Promise<void> {
  const { findLeftovers, pruneScrubbed, pushScrubbed } = await import('../../archive/index.ts');
  const branch = await openGitArchive(options, process.cwd());
  const report = await scrub(branch, names, options);
  const remote = options.push === true ? 'origin' : options.push;
  const act = options.dryRun !== true;
  const pushed = act && remote !== undefined ? await pushScrubbed(branch, { remote }) : undefined;
  const left = act ? await (options.prune ? pruneScrubbed(branch) : findLeftovers(branch)) : undefined;
  if (options.json)
    return printJson({
      branch: branch.name,
      dryRun: !act,
      ...report,
      ...(pushed && { pushed }),
      ...(left && { left }),
    });
  await printLines([
    ...renderArchiveScrub(report, { dryRun: !act }),
    ...(pushed ? [renderPushed(pushed)] : []),
    ...(left ? renderLeftovers(left, { pruned: options.prune === true, pushed: pushed !== undefined }) : []),
  ]);
}

async function scrub(branch: GitBranch, names: readonly string[], options: ArchiveScrubOptions) {
  const { scrubArchive } = await import('../../archive/index.ts');
  const find = await chooseSecrets(options);
  const progress = showProgress('Looking through the archive');
  const go = (dryRun: boolean) =>
    scrubArchive(branch, { find, names, dryRun, vault: options.vault, vaultKey: vaultKey(), ...progress });
  try {
    const plan = await go(true);
    if (options.dryRun || plan.rewritten === 0) return plan;
    progress.end();
    if (!options.yes) await ask(plan.rewritten, options);
    return await go(false);
  } finally {
    progress.end();
  }
}

async function ask(commits: number, { json }: ArchiveScrubOptions): Promise<void> {
  if (json || !canAsk())
    throw usageError('Nothing was scrubbed: it cannot be undone. Look with --dry-run, then add --yes.');
  note(`${sayCount(commits, 'commit')} of the archive will be made anew; clones keep the old ones.`);
  if (!(await confirm('Scrub the archive? It cannot be undone.')))
    throw new ThroughlineError('cancelled', 'Nothing was scrubbed.');
}
