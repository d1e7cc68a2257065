import type { Command } from 'commander';
import { contextOf } from '../../compaction/index.ts';
import type { BuiltContext } from '../../context/index.ts';
import type { Seq, SessionInfo } from '../../record/index.ts';
import { modelLimits } from '../../tokens/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderMeter } from '../render/render-meter.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ContextOptions extends GlobalOptions {
  window?: number;
  model?: string;
  at?: Seq;
  question?: string;
  messages?: boolean;
}

export function addContextCommand(program: Command): void {
  program
    .command('context')
    .description('Show what the model sees of a session, and how much of its window that takes.')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--window <tokens>', "the model's window (default: the catalogue's for the model)", parseCount)
    .option('--model <provider:model>', "the model to send it to (default: the session's)")
    .option('--question <text>', 'as if this were asked next')
    .option('--at <entry>', 'what it saw after this entry', parseCount)
    .option('--messages', 'print the messages themselves')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline context 1', 'the meter: what takes how much'],
        ['throughline context 1 --window 16000', 'would it fit a smaller model?'],
        ['throughline context 1 --at 40 --json', 'exactly what was sent after entry 40'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ContextOptions>();
      await withStore(options, async ({ store, find }) => {
        const info = await find(reference);
        const model = options.model ?? modelOf(info);
        const limits = modelLimits(model);
        const window = options.window ?? limits.window;
        const built = await contextOf(store, info, {
          budget: { window, outputLimit: Math.min(limits.output, window) },
          ...(model !== '' && { model }),
          ...(options.at !== undefined && { at: options.at }),
          ...(options.question !== undefined && { question: options.question }),
        });
        await (options.json
          ? printJson(toJson(built))
          : printLines(renderMeter(built, { messages: options.messages === true })));
      });
    });
}

/** The contract of `--json`: the meter's numbers first, then what is sent. */
function toJson({ window, reserve, tokens, parts, messages, leftOut, ...rest }: BuiltContext) {
  return { window, reserve, tokens, parts, messages, leftOut, ...rest };
}

function modelOf({ state }: SessionInfo): string {
  const { provider, model } = state.settings;
  if (typeof model !== 'string') return '';
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}
