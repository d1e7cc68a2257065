import type { Command } from 'commander';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import {
  type ArchiveChoice,
  placeIn,
  remoteIn,
  withArchiveOptions,
  withOriginals,
} from '../archive-options.ts';
import { helpExamples } from '../help-text.ts';
import { renderArchived, renderPushed } from '../render/render-archive.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import type { GlobalOptions } from '../with-store.ts';
import { addArchiveListCommand, addArchiveRestoreCommand, addArchiveVerifyCommand } from './archive-look.ts';
import { addArchiveScrubCommand } from './archive-scrub.ts';

export interface ArchiveFlags extends GlobalOptions, ArchiveChoice {
  readonly redact?: boolean;
  readonly vault?: boolean;
  readonly push?: string | true;
}

export function addArchiveCommand(program: Command): void {
  const archive = withArchiveOptions(
    program
      .command('archive')
      .description(
        'Keep whole originals of files and sessions on a branch of a git repository. Your own branch, index and work tree are not touched; secrets are taken out.',
      )
      .argument(
        '[what...]',
        'files, or sessions: an id, the start of one, a title, or a number of the last list',
      ),
  )
    .option('--no-redact', 'leave secrets in')
    .option(
      '--vault',
      'keep the secrets beside the archive, for you alone, so that restore gives the original',
    )
    .option('--push [remote]', 'send the branch to a remote afterwards (default: origin)')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline archive session.jsonl', 'put it on the branch, in the repository around it'],
        ['throughline archive 1 --vault', 'a session of ours, and its secrets beside'],
        ['throughline archive list', 'what is there'],
        ['throughline archive verify session.jsonl', 'whether it is the same, by hash'],
        ['throughline archive restore session.jsonl -o old.jsonl', 'to the byte'],
        ['throughline archive push', 'nothing is sent anywhere before'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      if (references.length === 0) throw usageError('Name the files or sessions to archive.');
      await run(references, command.optsWithGlobals<ArchiveFlags>());
    });
  addArchiveListCommand(archive);
  addArchiveVerifyCommand(archive);
  addArchiveRestoreCommand(archive);
  addArchiveScrubCommand(archive);
  addPushCommand(archive);
}

async function run(references: readonly string[], options: ArchiveFlags): Promise<void> {
  const { archiveOriginals } = await import('../../../operations/archive/index.ts');
  const { redact = true, vault = false, json } = options;
  const { end, ...progress } = showProgress('Archiving');
  const added = await withOriginals(references, options, (originals, machine) =>
    perform(
      archiveOriginals,
      { ...placeIn(options), originals, redact, vault, ...remoteIn(options) },
      machine,
      progress,
    ),
  ).finally(end);
  if (json) return printJson(printedBy(archiveOriginals, 'archive', added));
  const { archived, pushed } = added;
  await printLines([...archived.map(renderArchived), ...(pushed ? [renderPushed(pushed)] : [])]);
}

function addPushCommand(archive: Command): void {
  withArchiveOptions(archive.command('push'))
    .description('Send the branch to a remote. If others were faster, ours is put on top of theirs.')
    .argument('[remote]', 'the name or address of a remote', 'origin')
    .option(
      '--force',
      'after a scrub: replace what the remote has, if it has nothing else than what was scrubbed',
    )
    .addHelpText('after', helpExamples(['throughline archive push', 'to origin']))
    .action(async (remote: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveFlags & { force?: boolean }>();
      const { pushArchive } = await import('../../../operations/archive/index.ts');
      const params = { ...placeIn(options), remote, force: options.force === true };
      const pushed = await perform(pushArchive, params, OWN_MACHINE);
      await (options.json
        ? printJson(printedBy(pushArchive, 'archive push', pushed))
        : printLines([renderPushed(pushed)]));
    });
}
