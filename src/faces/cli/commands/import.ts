import type { Command } from 'commander';
import { ThroughlineError } from '../../../errors.ts';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
import type { FollowingFiles } from '../../../operations/transcript/index.ts';
import { openStore, type Store } from '../../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { exitCodeOf } from '../describe-failure.ts';
import { helpExamples } from '../help-text.ts';
import { sayError } from '../print-error.ts';
import {
  renderFollowed,
  renderHomes,
  renderImport,
  sayLeftOut,
  sayUnknown,
} from '../render/render-import.ts';
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
  trust?: boolean;
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
    .option(
      '--trust',
      'the files are your own: exports bring along all settings, a project its folders, a model its address',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline import', 'look where each agent keeps its sessions, and ask'],
        ['throughline import ~/.claude/projects', 'all sessions of Claude Code'],
        ['throughline import chat.jsonl --json', 'one file, and what was in it'],
        ['throughline import ~/.codex/sessions --follow', 'and whatever comes'],
        ['throughline import --trust backup/', 'your own exports, with settings that act on this machine'],
      ),
    )
    .action(async (paths: string[], _: unknown, command: Command) => {
      staySmall();
      const options = command.optsWithGlobals<ImportCommandOptions>();
      const { readableFormat } = await import('../../../operations/transcript/index.ts');
      // Before the question about the places of other agents.
      await readableFormat(options.format);
      const places = paths.length > 0 ? paths : await chooseHomes(options);
      await using store = await openStore(chooseStore(options.store).location);
      await (options.follow ? follow(store, places, options) : importAll(store, places, options));
    });
}

function paramsOf(paths: readonly string[], { format, trust = false }: ImportCommandOptions) {
  return { paths: [...paths], trust, ...(format !== undefined && { format }) };
}

async function importAll(
  store: Store,
  paths: readonly string[],
  options: ImportCommandOptions,
): Promise<void> {
  const { importTranscripts } = await import('../../../operations/transcript/index.ts');
  const { end, ...progress } = showProgress('Importing');
  const request = { ...progress, sayError };
  const machine = { ...OWN_MACHINE, store };
  const imported = await perform(importTranscripts, paramsOf(paths, options), machine, request).finally(end);
  const { sessions, skipped, failed } = imported;
  if (options.json) await printJson(printedBy(importTranscripts, 'import', imported));
  else {
    await printLines(renderImport(imported));
    for (const line of [...sayUnknown(skipped), ...sayLeftOut(sessions, options)]) note(dimNote(line));
    for (const { file, message } of failed)
      note(`${redNote('Failed:')} ${visibleText(`${file}: ${message}`)}`);
  }
  if (failed.length > 0) process.exitCode = exitCodeOf(failed[0]!);
}

async function follow(store: Store, paths: readonly string[], options: ImportCommandOptions): Promise<void> {
  const { followTranscripts } = await import('../../../operations/transcript/index.ts');
  const { json } = options;
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  if (!json) note(dimNote('Following; Ctrl-C ends it.'));
  const following: FollowingFiles = {
    signal: stop.signal,
    onImported: (reports) => {
      const lines = json ? reports.map((report) => toJson(report)) : reports.map(renderFollowed);
      void print(`${lines.join('\n')}\n`).catch(end);
    },
    onFailed: (failure) =>
      note(
        json
          ? toJson({ error: failure })
          : `${redNote('Failed:')} ${visibleText(`${failure.file}: ${failure.message}`)}`,
      ),
  };
  const machine = { ...OWN_MACHINE, store, ...following };
  await perform(followTranscripts, paramsOf(paths, options), machine, { sayError });
}

async function chooseHomes({ yes, json }: ImportCommandOptions): Promise<string[]> {
  const { listAgentHomes } = await import('../../../operations/transcript/index.ts');
  const { homes } = await perform(listAgentHomes, {}, OWN_MACHINE);
  if (homes.length === 0)
    throw usageError('No sessions of other agents are where they are usually kept. Name a file or a folder.');
  if (yes) return homes.map(({ path }) => path);
  if (json || !canAsk()) {
    const places = homes.map(({ agent, path }) => `${agent} (${path})`).join(', ');
    throw usageError(
      `Nothing was imported. There are sessions of ${places}; name one of them, or add --yes.`,
    );
  }
  for (const line of renderHomes(homes)) note(line);
  if (await confirm('Import all of them?')) return homes.map(({ path }) => path);
  throw new ThroughlineError('cancelled', 'Nothing was imported.');
}
