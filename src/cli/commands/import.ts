import type { Command } from 'commander';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { openStore, type Store } from '../../store/index.ts';
import type { FileOutcome, FoundFile, ImportOptions, ImportReport } from '../../transcripts/index.ts';
import { chooseStore } from '../choose-store.ts';
import { describeFailure, exitCodeOf, type Failure } from '../describe-failure.ts';
import { helpExamples } from '../help-text.ts';
import { renderFollowed, renderHomes, renderImport, sayUnknown } from '../render/render-import.ts';
import { staySmall } from '../stay-small.ts';
import { canAsk, confirm } from '../terminal/confirm.ts';
import { dimNote, redNote } from '../terminal/paint.ts';
import { note, print, printJson, printLines, toJson } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import type { GlobalOptions } from '../with-store.ts';

interface ImportCommandOptions extends GlobalOptions {
  format?: string;
  follow?: boolean;
  yes?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'Read the sessions of other agents into the store. Importing again adds only what is new; the files are not changed.',
    )
    .argument('[path...]', 'files and folders (default: where each agent keeps its sessions, after asking)')
    .option(
      '--format <format>',
      'what the files are, if their content does not tell: throughline, claude-code, pi, codex, markdown, dagent, army, opencode, gemini, chatgpt, copilot, ecp',
    )
    .option('--follow', 'keep importing as the files grow, until Ctrl-C')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline import', 'look where each agent keeps its sessions, and ask'],
        ['throughline import ~/.claude/projects', 'all sessions of Claude Code'],
        ['throughline import chat.jsonl --json', 'one file, and what was in it'],
        ['throughline import ~/.codex/sessions --follow', 'and whatever comes'],
      ),
    )
    .action(async (paths: string[], _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<ImportCommandOptions>();
      const transcripts = await import('../../transcripts/index.ts');
      const format = transcripts.FORMAT_NAMES.find((name) => name === options.format);
      if (options.format !== undefined && format === undefined)
        throw usageError(`No format "${options.format}". There are: ${transcripts.FORMAT_NAMES.join(', ')}.`);
      const places = paths.length > 0 ? paths : await chooseHomes(options);
      const { location } = chooseStore(options.store);
      const known = transcripts.openKnownFiles(`${location}-imports.json`);
      await using store = await openStore(location);
      if (store.facts.readOnly)
        throw new ThroughlineError('store-read-only', `Nothing can be imported: ${store.facts.readOnly}`);
      const how = { known, ...(format && { format }) };
      try {
        await (options.follow ? follow(store, places, how, options) : importAll(store, places, how, options));
      } finally {
        known.save();
      }
    });
}

async function importAll(
  store: Store,
  paths: readonly string[],
  how: ImportOptions,
  { json }: ImportCommandOptions,
): Promise<void> {
  const { findFiles } = await import('../../transcripts/index.ts');
  const files: FoundFile[] = [];
  for (const path of paths) for await (const file of openable(findFiles([path]), path)) files.push(file);
  const sessions: ImportReport[] = [];
  const skipped: { file: string; reason: string }[] = [];
  const failed: (Failure & { file: string })[] = [];
  const progress = showProgress('Importing');
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    progress.onProgress({ done, total });
  };
  try {
    for (const file of files) {
      try {
        const outcome = await importOne(store, file, { ...how, onBytes });
        sessions.push(...outcome.reports);
        if (outcome.skipped) skipped.push({ file: file.path, reason: outcome.skipped });
      } catch (error) {
        // One bad file among many is reported; alone it is the result.
        if (files.length === 1) throw error;
        failed.push({ file: file.path, ...describeFailure(error) });
      }
    }
  } finally {
    progress.end();
  }
  if (json) await printJson({ sessions, skipped, failed });
  else {
    await printLines(renderImport({ sessions, skipped, failed }));
    for (const line of sayUnknown(skipped)) note(dimNote(line));
  }
  for (const { file, message } of failed)
    if (!json) note(`${redNote('Failed:')} ${visibleText(`${file}: ${message}`)}`);
  if (failed.length > 0) process.exitCode = exitCodeOf(failed[0]!);
}

/** A process that was killed a moment ago may have left its claim on a session; whoever opens it finds out. */
async function importOne(store: Store, file: FoundFile, how: ImportOptions): Promise<FileOutcome> {
  const { importFile } = await import('../../transcripts/index.ts');
  try {
    return await importFile(store, file, how);
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
    const { openSession } = await import('../../session/index.ts');
    await (await openSession(store, String(error.details.session), { owner: 'Throughline import' })).close();
    return importFile(store, file, how);
  }
}

async function* openable(files: AsyncIterable<FoundFile>, path: string): AsyncGenerator<FoundFile> {
  try {
    yield* files;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw usageError(`There is no file or folder ${path}.`);
    if (code === 'EACCES') throw usageError(`${path} may not be read by you. Check its permissions.`);
    throw error;
  }
}

async function follow(
  store: Store,
  paths: readonly string[],
  how: ImportOptions,
  { json }: ImportCommandOptions,
): Promise<void> {
  const { followFiles } = await import('../../transcripts/index.ts');
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  if (!json) note(dimNote('Following; Ctrl-C ends it.'));
  await followFiles(store, paths, {
    ...how,
    signal: stop.signal,
    onReports: (reports) => {
      const lines = json ? reports.map((report) => toJson(report)) : reports.map(renderFollowed);
      void print(`${lines.join('\n')}\n`).catch(end);
    },
    onError: (error, { path }) => {
      const failure = { file: path, ...describeFailure(error) };
      note(
        json
          ? toJson({ error: failure })
          : `${redNote('Failed:')} ${visibleText(`${path}: ${failure.message}`)}`,
      );
    },
  });
}

async function chooseHomes({ yes, json }: ImportCommandOptions): Promise<string[]> {
  const { findAgentHomes, findFiles } = await import('../../transcripts/index.ts');
  const homes = await Promise.all(
    findAgentHomes().map(async (home) => {
      let files = 0;
      for await (const _file of findFiles([home.path])) files++;
      return { ...home, files };
    }),
  );
  const filled = homes.filter(({ files }) => files > 0);
  if (filled.length === 0)
    throw usageError('No sessions of other agents are where they are usually kept. Name a file or a folder.');
  if (yes) return filled.map(({ path }) => path);
  if (json || !canAsk()) {
    const places = filled.map(({ agent, path }) => `${agent} (${path})`).join(', ');
    throw usageError(
      `Nothing was imported. There are sessions of ${places}; name one of them, or add --yes.`,
    );
  }
  for (const line of renderHomes(filled)) note(line);
  if (await confirm('Import all of them?')) return filled.map(({ path }) => path);
  throw new ThroughlineError('cancelled', 'Nothing was imported.');
}
