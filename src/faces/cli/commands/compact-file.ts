import { type Command, Option } from 'commander';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { SummaryStyle } from '../../../transcripts/shorten/index.ts';
import { type ArchiveChoice, placeIn, remoteIn, withArchiveOptions } from '../archive-options.ts';
import { exitCodeOf } from '../describe-failure.ts';
import { helpExamples } from '../help-text.ts';
import { parseAmount, parseCount } from '../parse-option.ts';
import { sayError } from '../print-error.ts';
import { renderFileAnalysis, renderFileCompaction } from '../render/render-file-compaction.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleText } from '../terminal/visible-text.ts';
import type { GlobalOptions } from '../with-store.ts';

export interface CompactFileCommandOptions extends GlobalOptions, ArchiveChoice {
  maxLines?: number;
  maxTokens?: number;
  keepTurns?: number;
  settings?: string;
  model?: string;
  orDigest?: boolean;
  as: SummaryStyle;
  dryRun?: boolean;
  redact?: boolean;
  vault?: boolean;
  push?: string | true;
  evenIfOpen?: boolean;
}

export function addCompactFileCommand(program: Command): void {
  withShortenOptions(
    program
      .command('compact-file')
      .description(
        'Shorten transcripts of other agents where they lie. The original goes to the archive first; headers, unknown lines and recent turns stay to the byte, and the program that owns the file can go on with it.',
      )
      .argument('<file...>', 'files of pi, Claude Code or Codex'),
  )
    .option('--dry-run', 'say what is in the files and whether they would be shortened; change nothing')
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
      const { end, ...progress } = showProgress('Shortening');
      const { compactFiles } = await import('../../../operations/transcript/index.ts');
      const request = { ...progress, sayError };
      const compacted = await perform(
        compactFiles,
        { files, dryRun: options.dryRun ?? false, ...shortenParams(options) },
        OWN_MACHINE,
        request,
      ).finally(end);
      const { files: done, failed, notPushed = [], digestBecause } = compacted;
      if (digestBecause !== undefined) note(dimNote(`The digest writes the summaries: ${digestBecause}`));
      if (options.json) await printJson(printedBy(compactFiles, 'compact-file', compacted));
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

/** The options that say when a file is shortened, by whom, and where its original goes. */
export function withShortenOptions(command: Command): Command {
  return withArchiveOptions(command)
    .option('--max-lines <lines>', 'only files with more lines than this (default: 200)', parseCount)
    .option('--max-tokens <tokens>', 'or with more tokens than this', parseCount)
    .option('--keep-turns <turns>', 'turns that stay as they are (default: 10)', parseAmount)
    .option('--settings <file>', 'a settings file with a "sessionManagement" block; options beat it')
    .option('--model <provider:model>', 'who writes the summary (default: the embedded digest)')
    .option(
      '--or-digest',
      'if the model fails, let the digest write the summary (default: leave the file alone)',
    )
    .addOption(
      new Option('--as <form>', "the summary as the program's own compaction, or as a pair of messages")
        .choices(['own', 'pair'])
        .default('own'),
    )
    .option('--no-redact', 'leave secrets in what is archived')
    .option('--no-vault', 'do not keep the secrets that are taken out of what is archived')
    .option('--push [remote]', 'send the archive to a remote as well (default: origin)')
    .option('--even-if-open', 'also if a program has the file open');
}

export function shortenParams({ as: style, ...options }: CompactFileCommandOptions) {
  const { maxLines, maxTokens, keepTurns, settings, model } = options;
  const { evenIfOpen = false, redact = true, vault = true, orDigest = false } = options;
  const { folder: _, ...place } = placeIn(options);
  return {
    ...{ style, evenIfOpen, redact, vault, orDigest, ...place, ...remoteIn(options) },
    ...(maxLines !== undefined && { maxLines }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(keepTurns !== undefined && { keepTurns }),
    ...(settings !== undefined && { settings }),
    ...(model !== undefined && { model }),
  };
}
