import type { Command } from 'commander';
import type { BuiltContext } from '../../context/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { ChosenModel } from '../../models/index.ts';
import type { Seq, SessionInfo } from '../../record/index.ts';
import type { SentContext } from '../../run/index.ts';
import type { Store } from '../../store/index.ts';
import { announceContext } from '../announce-context.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseAmount, parseCount } from '../parse-option.ts';
import { renderMeter } from '../render/render-meter.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines, toJson as toJsonText } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ContextOptions extends GlobalOptions {
  window?: number;
  model?: string;
  at?: Seq;
  question?: string;
  recall?: number;
  messages?: boolean;
}

const NO_MODEL =
  'No model is connected here, so this is for the one that only quotes. --model or --window says another.';

export function addContextCommand(program: Command): void {
  program
    .command('context')
    .description('Show what the model sees of a session, and how much of its window that takes.')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--window <tokens>', "the model's window (default: the catalogue's for the model)", parseCount)
    .option('--model <provider:model>', "the model to send it to (default: the session's)")
    .option('--question <text>', 'as if this were asked next')
    .option(
      '--recall <tokens>',
      'room for what compacted turns say about the newest question; 0 for none (default: 2,000)',
      parseAmount,
    )
    .option(
      '--at <entry>',
      'what was sent after this entry, with the instructions, tools and recall of then',
      parseCount,
    )
    .option('--messages', 'print the messages themselves')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline context 1', 'the meter: what takes how much'],
        ['throughline context 1 --window 16000', 'would it fit a smaller model?'],
        ['throughline context 1 --question "which port?"', 'what would be recalled for it?'],
        ['throughline context 1 --at 40 --json', 'exactly what was sent after entry 40'],
      ),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ContextOptions>();
      await withStore(options, async ({ store, find }) => {
        const info = await find(reference);
        if (options.at !== undefined) checkReached(info, options.at);
        const sent = isWhatIf(options) ? undefined : await sentAt(store, info, options.at!);
        if (sent) return tellSent(sent, options);
        const { chooseModel } = await import('../../models/index.ts');
        const model = await chooseModel(info.state, { asked: options.model, announced: true });
        if (!options.json) for (const line of notesAbout(model, options)) note(dimNote(visibleText(line)));
        const { context: built, ...rest } = await announceContext(store, info, {
          ...options,
          model,
          folder: process.cwd(),
          onNotRecalled: ({ code, message }) =>
            note(
              options.json
                ? toJsonText({ notRecalled: { code, message } })
                : dimNote(visibleText(`Nothing was recalled: ${message}`)),
            ),
        });
        await (options.json
          ? printJson({ ...toJson(built), ...rest })
          : printLines([
              ...(isWhatIf(options) ? [] : [sayNotSent(options.at!)]),
              ...renderMeter(built, { messages: options.messages === true }),
            ]));
      });
    });
}

/** Whoever names another model, window or question does not ask what was. */
function isWhatIf({ at, window, model, question, recall }: ContextOptions): boolean {
  return at === undefined || [window, model, question, recall].some((option) => option !== undefined);
}

function checkReached({ id, head }: SessionInfo, at: Seq): void {
  if (at <= head) return;
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${at} after which something was sent.`,
    { details: { session: id, seq: at, head } },
  );
}

function sayNotSent(at: Seq): string {
  return `Nothing says what was sent after entry ${at}, so this is rebuilt from the log as it was then.`;
}

function notesAbout({ id, provider, limits, because, problem }: ChosenModel, { window }: ContextOptions) {
  const isUnknown = limits.source === 'default' && provider !== 'offline' && window === undefined;
  return [
    ...(problem === undefined ? [] : [`${problem} ${id} would answer.`]),
    ...(because === 'offline' && problem === undefined && window === undefined ? [NO_MODEL] : []),
    ...(isUnknown
      ? [`The window of ${id} is not known, so this is that of a small one. --window says another.`]
      : []),
  ];
}

async function sentAt(store: Store, info: SessionInfo, at: Seq): Promise<SentContext | undefined> {
  const { contextAt } = await import('../../run/index.ts');
  return contextAt(store, info, at);
}

async function tellSent({ context, answer, exact }: SentContext, options: ContextOptions): Promise<void> {
  if (options.json) return printJson({ ...toJson(context), sent: { ...answer, exact } });
  await printLines([
    `Sent to ${answer.model} for entry ${answer.seq}${exact ? ', to the byte' : '; rebuilt, and not quite what it was'}.`,
    ...renderMeter(context, { messages: options.messages === true }),
  ]);
}

/** The contract of `--json`: the meter's numbers first, then what is sent. */
function toJson({ window, reserve, tokens, parts, messages, leftOut, ...rest }: BuiltContext) {
  return { window, reserve, tokens, parts, messages, leftOut, ...rest };
}
