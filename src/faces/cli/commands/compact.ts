import { type Command, Option } from 'commander';
import { isThroughlineError, ThroughlineError } from '../../../errors.ts';
import { PRESET_NAMES } from '../../../operations/config/index.ts';
import { type App, perform, printedBy, type Request } from '../../../operations/index.ts';
import type { PresetName, SeqRange, SessionId, SessionInfo } from '../../../record/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseAmount, parseRange, timeoutOption } from '../parse-option.ts';
import { renderCompaction, renderPreview } from '../render/render-compaction.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { showWaiting } from '../terminal/show-progress.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';
import type { DraftOptions } from './compact-draft.ts';

interface CompactCommandOptions extends GlobalOptions, DraftOptions {
  preview?: boolean;
  preset?: PresetName;
  keep?: number;
  range?: SeqRange;
  focus?: string;
  byProvider?: boolean;
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
    .addOption(
      new Option(
        '--review',
        'write a draft and edit it in $EDITOR before it is put in place; without a terminal, print it',
      ).conflicts(['preview', 'approve', 'discard']),
    )
    .option('--again', 'with --review: write the draft anew')
    .addOption(
      new Option('--approve', 'put the draft in place as it stands').conflicts(['preview', 'discard']),
    )
    .addOption(new Option('--discard', 'take the draft away').conflicts('preview'))
    .addOption(new Option('--preset <name>', "how much stays (default: the session's)").choices(PRESET_NAMES))
    .option('--keep <messages>', 'keep at least so many of the newest messages', parseAmount)
    .option('--range <from-to>', 'only these entries, grown to whole turns: 12-40', parseRange)
    .option('--focus <text>', 'what the summary should pay attention to')
    .option('--model <provider:model>', 'who writes the summary (default: the embedded digest)')
    .addOption(
      new Option(
        '--by-provider',
        'have the provider of the model that answers summarise all before the newest question',
      ).conflicts(['preview', 'review', 'approve', 'discard', 'preset', 'keep', 'range']),
    )
    .addOption(timeoutOption(120))
    .addHelpText(
      'after',
      helpExamples(
        ['throughline compact 1 --preview', 'what it would do, in numbers'],
        ['throughline compact 1 --keep 10', 'all but the last ten messages'],
        ['throughline compact 1 --model anthropic', 'a better summary, by a model'],
        ['throughline compact 1 --by-provider', 'a summary as the provider writes it for itself'],
        ['throughline compact 1 --review', 'look at the summary and edit it first'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CompactCommandOptions>();
      await withStore(options, async ({ app, find }) => {
        const info = await find(reference);
        const { id } = info;
        if (options.model !== undefined) await checkModel(info, options.model);
        await (options.preview ? showPreview : hasDraftOption(options) ? review : compact)(app, id, options);
      });
    });
}

/** Also for a preview, which asks no model. */
async function checkModel({ state: { settings } }: SessionInfo, model: string): Promise<void> {
  const { askedReference, parseReference } = await import('../../../models/index.ts');
  parseReference(askedReference(settings, { model })!);
}

async function showPreview(app: App, id: SessionId, options: CompactCommandOptions): Promise<void> {
  const { previewContext } = await import('../../../operations/compaction/index.ts');
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

function hasDraftOption({ review, approve, discard }: CompactCommandOptions): boolean {
  return [review, approve, discard].includes(true);
}

async function review(app: App, id: SessionId, options: CompactCommandOptions): Promise<void> {
  const { runDraftCommand } = await import('./compact-draft.ts');
  const { waiting, request } = waitingFor(options);
  const asked = { ...toParams(id, options), instructions: options.focus };
  await runDraftCommand({ app, id, options, asked, request, waiting }).catch(namingKeep(options));
}

async function compact(app: App, id: SessionId, options: CompactCommandOptions): Promise<void> {
  const { compactContext } = await import('../../../operations/compaction/index.ts');
  const { model, focus: instructions } = options;
  const writer = options.byProvider ? 'provider' : 'digest';
  const { waiting, request } = waitingFor(options);
  const result = await perform(
    compactContext,
    { ...toParams(id, options), writer, model, instructions },
    app,
    request,
  )
    .finally(() => waiting.end())
    .catch(namingKeep(options));
  await (options.json
    ? printJson(printedBy(compactContext, 'compact', result))
    : printLines(renderCompaction(id, result)));
}

/** Says that a model writes, once one does; the line is gone when it is done, and before anything else is shown. */
function waitingFor({ timeout }: CompactCommandOptions): {
  waiting: { end(): void };
  request: Request;
} {
  let shown: ReturnType<typeof showWaiting> | undefined;
  return {
    waiting: {
      end() {
        shown?.end();
        shown = undefined;
      },
    },
    request: {
      modelTimeoutMs: timeout === undefined ? undefined : timeout * 1000,
      onProgress({ part }) {
        shown ??= showWaiting(`${part} writes the summary`);
      },
    },
  };
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
