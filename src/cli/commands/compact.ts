import { type Command, Option } from 'commander';
import type { PresetName } from '../../compaction/index.ts';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { PRESET_NAMES } from '../../operations/config/index.ts';
import { type App, perform, printedBy } from '../../operations/index.ts';
import type { SeqRange, SessionId, SessionInfo } from '../../record/index.ts';
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
      await withStore(options, async ({ app, find }) => {
        const info = await find(reference);
        const { id } = info;
        if (options.model !== undefined) await checkModel(info, options.model);
        await (options.preview ? showPreview : compact)(app, id, options);
      });
    });
}

/** Also for a preview, which asks no model. */
async function checkModel({ state: { settings } }: SessionInfo, model: string): Promise<void> {
  const { askedReference, parseReference } = await import('../../models/index.ts');
  parseReference(askedReference(settings, { model })!);
}

async function showPreview(app: App, id: SessionId, options: CompactCommandOptions): Promise<void> {
  const { previewContext } = await import('../../operations/compaction/index.ts');
  try {
    const preview = await perform(previewContext, toParams(id, options), app).catch(namingKeep(options));
    await (options.json
      ? printJson(printedBy(previewContext, 'compact --preview', preview))
      : printLines(renderPreview(preview)));
  } catch (error) {
    // That a short session needs no compaction is an answer to a person who asks what one would do.
    if (options.json || !isThroughlineError(error, 'nothing-to-compact')) throw error;
    await printLines([error.message]);
  }
}

async function compact(app: App, id: SessionId, options: CompactCommandOptions): Promise<void> {
  const { compactContext } = await import('../../operations/compaction/index.ts');
  const { model, focus: instructions, timeout } = options;
  let waiting: ReturnType<typeof showWaiting> | undefined;
  const result = await perform(
    compactContext,
    { ...toParams(id, options), writer: 'digest', model, instructions },
    app,
    {
      modelTimeoutMs: timeout === undefined ? undefined : timeout * 1000,
      onProgress({ part }) {
        waiting ??= showWaiting(`${part} writes the summary`);
      },
    },
  )
    .finally(() => waiting?.end())
    .catch(namingKeep(options));
  await (options.json
    ? printJson(printedBy(compactContext, 'compact', result))
    : printLines(renderCompaction(id, result)));
}

function toParams(chatSessionId: SessionId, { preset, keep: keepRecentCount, range }: CompactCommandOptions) {
  return { chatSessionId, preset, keepRecentCount, range };
}

/** The words of how much is kept are followed by how to keep less. */
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
