import type { Command } from 'commander';
import type { Original } from '../../archive/index.ts';
import { ThroughlineError } from '../../errors.ts';
import { helpExamples } from '../help-text.ts';
import { openArchive, vaultKey, withArchiveOptions } from '../open-archive.ts';
import { readOriginals } from '../read-originals.ts';
import {
  describeArchived,
  renderArchiveList,
  renderCompared,
  renderVerified,
} from '../render/render-archive.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, print, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { usageError } from '../usage-error.ts';
import { writeFiles } from '../write-files.ts';
import type { ArchiveOptions } from './archive.ts';

export function addArchiveListCommand(archive: Command): void {
  withArchiveOptions(archive.command('list'))
    .description('List what is archived, the newest first.')
    .addHelpText('after', helpExamples(['throughline archive list --json', 'with the hashes']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveOptions>();
      const { listArchive } = await import('../../archive/index.ts');
      const branch = await openArchive(options, process.cwd());
      const files = await listArchive(branch);
      if (options.json) return printJsonList(files.map(describeArchived));
      if (files.length === 0) note(dimNote(`Nothing is archived in ${branch.name}.`));
      return printLines(renderArchiveList(files));
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
      const options = command.optsWithGlobals<ArchiveOptions>();
      await (references.length === 0 ? verifyAll(options) : compare(references, options));
    });
}

async function verifyAll(options: ArchiveOptions): Promise<void> {
  const { verifyArchive } = await import('../../archive/index.ts');
  const branch = await openArchive(options, process.cwd());
  const progress = showProgress('Verifying');
  const verified = await verifyArchive(branch, { ...progress, vaultKey: vaultKey() }).finally(progress.end);
  await (options.json ? printJson({ branch: branch.name, verified }) : printLines(renderVerified(verified)));
  const damaged = verified.filter(({ state }) => state === 'damaged').map(({ path }) => path);
  if (damaged.length > 0) throw differs(`${damaged.join(', ')}: not what was archived.`, damaged);
}

async function compare(references: readonly string[], options: ArchiveOptions): Promise<void> {
  const { compareOriginals } = await import('../../archive/index.ts');
  const branch = await openArchive(options, process.cwd());
  const originals: Original[] = [];
  for await (const original of readOriginals(references, options)) originals.push(original);
  const compared = await compareOriginals(branch, originals);
  await (options.json
    ? printJson({ branch: branch.name, compared })
    : printLines(compared.map(renderCompared)));
  const others = compared.filter(({ state }) => state !== 'same').map(({ name }) => name);
  if (others.length > 0) throw differs(`Not in the archive as they are: ${others.join(', ')}.`, others);
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
      const options = command.optsWithGlobals<ArchiveOptions & { out?: string; force?: boolean }>();
      if (options.json && options.out === undefined)
        throw usageError('With --json it says what was written, so it needs --out.');
      await restore(name, options);
    });
}

async function restore(
  name: string,
  options: ArchiveOptions & { out?: string; force?: boolean },
): Promise<void> {
  const { restoreOriginal } = await import('../../archive/index.ts');
  const branch = await openArchive(options, process.cwd());
  const { file, bytes, whole, newer } = await restoreOriginal(branch, name, {
    vaultKey: vaultKey(),
  });
  const { out, force = false, json } = options;
  if (out === undefined) await print(bytes);
  else {
    const fileName = file.record?.name ?? file.path.split('/').at(-1)!;
    const pieces = async function* () {
      yield { file: fileName, text: bytes };
    };
    const [written] = await writeFiles(pieces(), { out, force, several: false });
    await (json
      ? printJson({ ...describeArchived(file), ...written, whole, newer })
      : printLines([written!.path]));
  }
  if (newer.length > 0 && !json)
    note(
      dimNote(`It was rewritten since: ${newer.map((one) => one.split('/').at(-1)).join(', ')} is newer.`),
    );
  if (!whole && !json)
    note(
      dimNote('Secrets were taken out when it was archived and not kept: placeholders stand in their place.'),
    );
}
