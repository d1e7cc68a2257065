import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { OWN_MACHINE, perform } from '../../../operations/index.ts';
import { openStore } from '../../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import { sayError } from '../print-error.ts';
import { renderFileCompaction } from '../render/render-file-compaction.ts';
import { renderImport } from '../render/render-import.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type CompactFileCommandOptions, shortenParams, withShortenOptions } from './compact-file.ts';

interface ResumeCommandOptions extends CompactFileCommandOptions {
  file?: string;
  import?: boolean;
}

export function addResumeCommand(program: Command): void {
  withShortenOptions(
    program
      .command('resume')
      .description(
        "Go on with a session of another agent: its file is shortened if it has become long, then the agent's command runs, then the store gets what is new. The exit code is that of the command.",
      )
      .argument('<command...>', 'the command of the agent, after `--`')
      .option(
        '--file <file>',
        'the file of the session (default: the one that the command names by its file or id)',
      ),
  )
    .option('--no-import', 'do not read the session into the store afterwards')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline resume -- pi --session state/sessions/one.jsonl', 'pi, on a file that fits'],
        [
          'throughline resume --settings .pi/settings.json -- pi --session one.jsonl -p "Go on."',
          'as a repository has set it',
        ],
        [
          'throughline resume -- claude --resume 5fd1e58c-9635-410e-a644-133a96057c90',
          'by the id of the session',
        ],
      ),
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ResumeCommandOptions>();
      const { findNamedFile } = await import('../../../transcripts/index.ts');
      const file = options.file ?? (await findNamedFile(words));
      if (file === undefined)
        throw usageError(
          'The command names no session of another agent, by its file or by its id. Name the file with --file. A session of the store goes on with: throughline chat --resume <session>',
        );
      if (existsSync(file)) await shorten(file, options);
      else note(visibleText(`There is no file ${file} yet, so nothing was checked.`));
      process.exitCode = await run(words);
      if (options.import !== false && existsSync(file)) await importFile(file, options);
    });
}

/** Whatever goes wrong, the agent goes on with the file as it is. */
async function shorten(file: string, options: ResumeCommandOptions): Promise<void> {
  const { compactFiles } = await import('../../../operations/transcript/index.ts');
  try {
    const params = { files: [file], ...shortenParams(options) };
    const compacted = await perform(compactFiles, params, OWN_MACHINE, { sayError });
    const { files, notPushed = [], digestBecause } = compacted;
    if (digestBecause !== undefined) note(dimNote(`The digest writes the summaries: ${digestBecause}`));
    for (const line of files.flatMap(renderFileCompaction)) note(line);
    for (const { message } of notPushed) note(`${redNote('Not pushed:')} ${message}`);
  } catch (error) {
    note(`${redNote('Not shortened:')} ${visibleText(sayError(error))}`);
  }
}

async function run([program, ...args]: readonly string[]): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program!, args, { stdio: 'inherit' });
  // Ctrl-C is for the agent, which has the terminal too. A signal for this process alone is handed on: the agent ends, and
  // the store still gets what it wrote.
  const ignore = () => {};
  const handOn = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', ignore);
  for (const signal of HANDED_ON) process.on(signal, handOn);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } catch (error) {
    throw usageError(`${program} cannot be run: ${(error as Error).message}`);
  } finally {
    process.off('SIGINT', ignore);
    for (const signal of HANDED_ON) process.off(signal, handOn);
  }
}

const HANDED_ON = ['SIGTERM', 'SIGHUP'] as const;

/** What the agent wrote is in its file, so its exit code says more than a store that cannot be written. */
async function importFile(file: string, { store: named }: ResumeCommandOptions): Promise<void> {
  const { importTranscripts } = await import('../../../operations/transcript/index.ts');
  try {
    await using store = await openStore(chooseStore(named).location);
    const machine = { ...OWN_MACHINE, store };
    const imported = await perform(importTranscripts, { paths: [file] }, machine, { sayError });
    for (const line of renderImport(imported)) note(dimNote(line));
  } catch (error) {
    note(`${redNote('Not imported:')} ${visibleText(sayError(error))}`);
  }
}
