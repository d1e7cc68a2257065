import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { GitBranch, Original, Pushed } from '../../archive/index.ts';
import type { Summariser } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { FileCompaction, ShortenSettings, SummaryStyle } from '../../shorten/index.ts';
import { describeFailure, exitCodeOf, type Failure } from '../describe-failure.ts';
import { helpExamples } from '../help-text.ts';
import {
  type ArchivePlace,
  openArchive,
  openGitArchive,
  vaultKey,
  withArchiveOptions,
} from '../open-archive.ts';
import { parseAmount, parseCount } from '../parse-option.ts';
import { renderFileAnalysis, renderFileCompaction } from '../render/render-file-compaction.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import type { GlobalOptions } from '../with-store.ts';

interface CompactFileCommandOptions extends GlobalOptions, ArchivePlace {
  maxLines?: number;
  maxTokens?: number;
  keepTurns?: number;
  settings?: string;
  model?: string;
  as: SummaryStyle;
  dryRun?: boolean;
  redact?: boolean;
  vault?: boolean;
  push?: string | true;
  evenIfOpen?: boolean;
}

export function addCompactFileCommand(program: Command): void {
  withArchiveOptions(
    program
      .command('compact-file')
      .description(
        'Shorten transcripts of other agents where they lie. The original goes to the archive first; headers, unknown lines and recent turns stay to the byte, and the program that owns the file can go on with it.',
      )
      .argument('<file...>', 'files of pi, Claude Code or Codex'),
  )
    .option('--max-lines <lines>', 'only files with more lines than this (default: 200)', parseCount)
    .option('--max-tokens <tokens>', 'or with more tokens than this', parseCount)
    .option('--keep-turns <turns>', 'turns that stay as they are (default: 10)', parseAmount)
    .option('--settings <file>', 'a settings file with a "sessionManagement" block; options beat it')
    .option('--model <provider:model>', 'who writes the summary (default: the embedded digest)')
    .addOption(
      new Option('--as <form>', "the summary as the program's own compaction, or as a pair of messages")
        .choices(['own', 'pair'])
        .default('own'),
    )
    .option('--dry-run', 'say what is in the files and whether they would be shortened; change nothing')
    .option('--no-redact', 'leave secrets in what is archived')
    .option('--no-vault', 'do not keep the secrets that are taken out of what is archived')
    .option('--push [remote]', 'send the archive to a remote as well (default: origin)')
    .option('--even-if-open', 'also if a program has the file open')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline compact-file session.jsonl --dry-run', 'what is in it, in numbers'],
        [
          'throughline compact-file session.jsonl --keep-turns 5',
          'all but the last five turns become a summary',
        ],
        [
          'throughline compact-file state/sessions/*.jsonl --settings .pi/settings.json',
          'as a repository has set it',
        ],
        ['throughline archive restore session.jsonl -o old.jsonl', 'the original, to the byte'],
      ),
    )
    .action(async (files: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CompactFileCommandOptions>();
      const settings = await readSettings(options);
      if (options.push !== undefined && options.github !== undefined)
        throw usageError('What is at GitHub need not be pushed there.');
      const outcome = await (options.dryRun
        ? inspectAll(files, settings)
        : compactAll(files, settings, options));
      const { files: done, failed, notPushed = [] } = outcome;
      if (options.json) await printJson(outcome);
      else {
        await printLines(done.flatMap(options.dryRun ? renderFileAnalysis : renderFileCompaction));
        for (const { file, message } of failed)
          note(`${redNote('Failed:')} ${visibleText(`${file}: ${message}`)}`);
        for (const { message } of notPushed) note(`${redNote('Not pushed:')} ${message}`);
      }
      const [first] = [...failed, ...notPushed];
      if (first) process.exitCode = exitCodeOf(first);
    });
}

interface Outcome {
  readonly files: readonly FileCompaction[];
  readonly failed: readonly (Failure & { file: string })[];
  /** Only if somebody wanted it: the archives that were sent, and those that are still only here. */
  readonly pushed?: readonly Pushed[];
  readonly notPushed?: readonly (Failure & { archive: string })[];
}

/** Options first, then the settings file, then what is usual. */
async function readSettings(options: CompactFileCommandOptions): Promise<ShortenSettings> {
  const shorten = await import('../../shorten/index.ts');
  const { maxLines, maxTokens, keepTurns, settings: file } = options;
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(noSuchFile(file));
  return {
    ...(text === undefined ? shorten.SHORTEN_DEFAULTS : shorten.readSettings(text, file!)),
    ...(maxLines !== undefined && { maxLines }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(keepTurns !== undefined && { keepTurns }),
  };
}

async function inspectAll(files: readonly string[], settings: ShortenSettings): Promise<Outcome> {
  const { inspectFile } = await import('../../shorten/index.ts');
  return eachFile(files, (file) => inspectFile(file, settings));
}

/** One bad file among many is reported; alone it is the result. */
async function eachFile(
  files: readonly string[],
  work: (file: string) => Promise<FileCompaction>,
  { onProgress }: Pick<ReturnType<typeof showProgress>, 'onProgress'> = { onProgress: () => {} },
): Promise<Outcome> {
  const done: FileCompaction[] = [];
  const failed: (Failure & { file: string })[] = [];
  for (const file of files) {
    try {
      done.push(await work(file).catch(noSuchFile(file)));
    } catch (error) {
      if (files.length === 1) throw error;
      failed.push({ file, ...describeFailure(error) });
    }
    onProgress({ done: done.length + failed.length, total: files.length });
  }
  return { files: done, failed };
}

async function compactAll(
  files: readonly string[],
  settings: ShortenSettings,
  options: CompactFileCommandOptions,
): Promise<Outcome> {
  const { compactFile } = await import('../../shorten/index.ts');
  const { archiveOriginal } = await import('../../archive/index.ts');
  const { redact = true, vault = true, as: style, evenIfOpen = false, push } = options;
  const branch = options.branch ?? settings.branch;
  const place = { ...options, ...(branch !== undefined && { branch }) };
  const summariser = await openSummariser(options.model, settings.model);
  const written = new Map<string, GitBranch>();
  const archive = async (folder: string, original: Original) => {
    const how = { redact, vault, vaultKey: vaultKey() };
    if (push === undefined) return archiveOriginal(await openArchive(place, folder), original, how);
    const here = await openGitArchive(place, folder);
    const archived = await archiveOriginal(here, original, how);
    written.set(here.gitDir, here);
    return archived;
  };
  const work = (file: string) =>
    compactFile(file, {
      ...settings,
      style,
      evenIfOpen,
      ...(summariser && { summariser }),
      archive: (original) => archive(path.dirname(path.resolve(file)), original),
    });
  const progress = showProgress('Shortening');
  const outcome = await eachFile(files, work, progress).finally(progress.end);
  if (push === undefined) return outcome;
  return { ...outcome, ...(await pushAll([...written.values()], push === true ? 'origin' : push)) };
}

/** The model that is named has to be there; one that is only set for the repository may be missing its key here. */
async function openSummariser(
  named: string | undefined,
  usual: string | undefined,
): Promise<Summariser | undefined> {
  const reference = named ?? usual;
  if (reference === undefined) return undefined;
  const { createModelSummariser } = await import('../../compaction/index.ts');
  const { openModel } = await import('../../models/index.ts');
  try {
    return createModelSummariser(await openModel(reference));
  } catch (error) {
    if (named !== undefined || !isThroughlineError(error)) throw error;
    note(dimNote(`The digest writes the summaries: ${error.message}`));
    return undefined;
  }
}

/** The originals are archived here by now, so one that could not be sent on does not keep the others. */
async function pushAll(
  branches: readonly GitBranch[],
  remote: string,
): Promise<Required<Pick<Outcome, 'pushed' | 'notPushed'>>> {
  const { pushBranch } = await import('../../archive/index.ts');
  const pushed: Pushed[] = [];
  const notPushed: (Failure & { archive: string })[] = [];
  for (const branch of branches) {
    try {
      pushed.push(await pushBranch(branch, { remote }));
    } catch (error) {
      notPushed.push({ archive: branch.name, ...describeFailure(error) });
    }
  }
  return { pushed, notPushed };
}

function noSuchFile(file: string): (error: unknown) => never {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw usageError(`There is no file ${file}.`);
    throw error;
  };
}
