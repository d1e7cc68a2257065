import type { Command } from 'commander';
import { ThroughlineError } from '../../../errors.ts';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import { placeIn, withArchiveOptions, withOriginals } from '../archive-options.ts';
import { helpExamples } from '../help-text.ts';
import { renderArchiveList, renderCompared, renderVerified } from '../render/render-archive.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, print, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import type { ArchiveFlags } from './archive.ts';

export function addArchiveListCommand(archive: Command): void {
  withArchiveOptions(archive.command('list'))
    .description('List what is archived, the newest first.')
    .addHelpText('after', helpExamples(['throughline archive list --json', 'with the hashes']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveFlags>();
      const { listArchiveOperation: listArchive } = await import('../../../operations/archive/index.ts');
      const listed = await perform(listArchive, placeIn(options), OWN_MACHINE);
      if (options.json) return printJsonList(printedBy(listArchive, 'archive list', listed) as unknown[]);
      if (listed.files.length === 0) note(dimNote(`Nothing is archived in ${listed.branch}.`));
      return printLines(renderArchiveList(listed.files));
    });
}

export function addArchiveVerifyCommand(archive: Command): void {
  withArchiveOptions(archive.command('verify'))
    .description(
      'Make every original again and compare its hash; with files or sessions, compare those with the archive.',
    )
    .argument('[what...]', 'files or sessions')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline archive verify', 'all of it'],
        ['throughline archive verify session.jsonl 1', 'whether these are in it as they are'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveFlags>();
      await verify(references, options);
    });
}

async function verify(references: readonly string[], options: ArchiveFlags): Promise<void> {
  const { verifyArchiveOperation: verifyArchive } = await import('../../../operations/archive/index.ts');
  const { end, ...progress } = showProgress('Verifying');
  const verified = await withOriginals(references, options, (originals, machine) =>
    perform(verifyArchive, { ...placeIn(options), originals }, machine, progress),
  ).finally(end);
  if (options.json) await printJson(printedBy(verifyArchive, 'archive verify', verified));
  if ('compared' in verified) {
    const { compared } = verified;
    if (!options.json) await printLines(compared.map(renderCompared));
    const others = compared.filter(({ state }) => state !== 'same').map(({ name }) => name);
    if (others.length > 0) throw differs(`Not in the archive as they are: ${others.join(', ')}.`, others);
    return;
  }
  if (!options.json) await printLines(renderVerified(verified.verified));
  const damaged = verified.verified.filter(({ state }) => state === 'damaged').map(({ path }) => path);
  if (damaged.length > 0) throw differs(`${damaged.join(', ')}: not what was archived.`, damaged);
}

function differs(message: string, names: readonly string[]): ThroughlineError {
  return new ThroughlineError('archive-differs', message, { details: { names } });
}

export function addArchiveRestoreCommand(archive: Command): void {
  withArchiveOptions(archive.command('restore'))
    .description('Give an original back, to the byte.')
    .argument('<name>', 'as the list shows it, or the start of it')
    .option('-o, --out <path>', 'the file, or a folder to put it in (default: print it)')
    .option('--force', 'overwrite a file that is there')
    .addHelpText(
      'after',
      helpExamples([
        'throughline archive restore session.jsonl -o old/',
        'as it was before it was shortened',
      ]),
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveFlags & { out?: string; force?: boolean }>();
      if (options.json && options.out === undefined)
        throw usageError('With --json it says what was written, so it needs --out.');
      await restore(name, options);
    });
}

async function restore(
  name: string,
  options: ArchiveFlags & { out?: string; force?: boolean },
): Promise<void> {
  const { restoreOriginalOperation: restoreOriginal } = await import('../../../operations/archive/index.ts');
  const { out, force = false, json } = options;
  const restored = await perform(
    restoreOriginal,
    { ...placeIn(options), name, force, ...(out !== undefined && { out }) },
    OWN_MACHINE,
  );
  if (json) return printJson(printedBy(restoreOriginal, 'archive restore', restored));
  const { bytes, written, whole, newer } = restored;
  if (bytes) await print(bytes);
  if (written) await printLines([written.path]);
  if (newer.length > 0)
    note(
      dimNote(`It was rewritten since: ${newer.map((one) => one.split('/').at(-1)).join(', ')} is newer.`),
    );
  if (!whole)
    note(
      dimNote('Secrets were taken out when it was archived and not kept: placeholders stand in their place.'),
    );
}
