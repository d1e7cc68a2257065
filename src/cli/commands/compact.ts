import { type Command, Option } from 'commander';
import type { CompactOptions, PresetName } from '../../compaction/index.ts';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { PRESET_NAMES } from '../../operations/config/index.ts';
import type { SeqRange } from '../../record/index.ts';
import { openSession, type Session } from '../../session/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseAmount, parseRange, timeoutOption } from '../parse-option.ts';
import { renderCompaction, renderPreview } from '../render/render-compaction.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { showWaiting } from '../terminal/show-progress.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface CompactCommandOptions extends GlobalOptions {
  preview?: boolean;
  preset?: PresetName;
  keep?: number;
  range?: SeqRange;
  focus?: string;
  model?: string;
  timeout?: number;
}

export function addCompactCommand(program: Command): void {
  program
    .command('compact')
    .description(
      'Shorten what the model sees of a session. The log keeps every word, and expand puts it back.',
    )
    .argument('<session>', SESSION_ARGUMENT)
    .option('--preview', 'say what would be kept, summarised and left out; change nothing')
    .addOption(new Option('--preset <name>', "how much stays (default: the session's)").choices(PRESET_NAMES))
    .option('--keep <messages>', 'keep at least so many of the newest messages', parseAmount)
    .option('--range <from-to>', 'only these entries, grown to whole turns: 12-40', parseRange)
    .option('--focus <text>', 'what the summary should pay attention to')
    .option('--model <provider:model>', 'who writes the summary (default: the embedded digest)')
    .addOption(timeoutOption(120))
    .addHelpText(
      'after',
      helpExamples(
        ['throughline compact 1 --preview', 'what it would do, in numbers'],
        ['throughline compact 1 --keep 10', 'all but the last ten messages'],
        ['throughline compact 1 --model anthropic', 'a better summary, by a model'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CompactCommandOptions>();
      await withStore(options, async ({ store, find }) => {
        const { id } = await find(reference);
        const { preview, json } = options;
        await using session = await openSession(store, id, {
          mode: preview ? 'read' : 'write',
          owner: 'throughline compact',
        });
        await (preview ? showPreview(session, options) : compact(session, options, json === true));
      });
    });
}

async function showPreview(session: Session, options: CompactCommandOptions): Promise<void> {
  const { previewCompaction } = await import('../../compaction/index.ts');
  const { parseReference } = await import('../../models/index.ts');
  if (options.model !== undefined) parseReference(options.model);
  const settings = await toOptions(session, options);
  const preview = await previewCompaction(session, settings).catch(namingKeep(options));
  await (options.json ? printJson(preview) : printLines(renderPreview(preview)));
}

async function compact(session: Session, options: CompactCommandOptions, json: boolean): Promise<void> {
  const { compactSession } = await import('../../compaction/index.ts');
  const writer = options.model === undefined ? {} : await writerOf(options.model, options.timeout);
  const settings = await toOptions(session, options);
  const waiting = writer.summariser && showWaiting(`${writer.summariser.name} writes the summary`);
  const result = await compactSession(session, { ...settings, ...writer })
    .finally(() => waiting?.end())
    .catch(namingKeep(options));
  await (json ? printJson(result) : printLines(renderCompaction(session.id, result)));
}

async function writerOf(
  reference: string,
  timeout: number | undefined,
): Promise<Pick<CompactOptions, 'summariser' | 'unasked'>> {
  const { createModelSummariser } = await import('../../compaction/index.ts');
  const { openModel } = await import('../../models/index.ts');
  const model = await openModel(reference);
  return model.provider === 'offline'
    ? { unasked: { by: model.id, reason: 'it only quotes and writes no summaries, so the digest did' } }
    : {
        summariser: createModelSummariser(model, timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      };
}

/** Whoever is told how much is kept wants to know how to keep less. */
function namingKeep({ keep, range }: CompactCommandOptions) {
  return (error: unknown): never => {
    if (keep !== undefined || range || !isThroughlineError(error, 'nothing-to-compact')) throw error;
    const { code, message, details } = error;
    throw new ThroughlineError(code, `${message} Keep less with --keep <messages>.`, {
      details,
      cause: error,
    });
  };
}

async function toOptions(
  { info }: Session,
  { preset, keep, range, focus }: CompactCommandOptions,
): Promise<CompactOptions> {
  const { settingsFor } = await import('../../compaction/index.ts');
  const settings = settingsFor(info.state, preset);
  return {
    settings: keep === undefined ? settings : { ...settings, keep: { messages: keep } },
    ...(range && { range }),
    ...(focus !== undefined && { instructions: focus }),
  };
}
