import { type Command, Option } from 'commander';
import type { ContextForOptions, SessionContext } from '../../agent/index.ts';
import type { PresetName } from '../../compaction/index.ts';
import type { ChosenModel } from '../../models/index.ts';
import { POLICY_NAMES } from '../../operations/config/index.ts';
import type { Seq, SessionInfo } from '../../record/index.ts';
import { describeFailure } from '../describe-failure.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseAmount, parseCount } from '../parse-option.ts';
import { renderMeter } from '../render/render-meter.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines, toJson as toJsonText } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

interface ContextOptions extends GlobalOptions {
  window?: number;
  preset?: PresetName | 'off';
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
    .addOption(
      new Option('--window <tokens>', "the model's window (default: the catalogue's for the model)")
        .argParser(parseCount)
        .env('THROUGHLINE_WINDOW'),
    )
    .addOption(new Option('--preset <name>').choices(POLICY_NAMES).env('THROUGHLINE_PRESET').hideHelp())
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
      const { at, question, model, json, recall, messages = false } = options;
      // A window that stands in the environment is for the next turn, not for what was sent.
      const isThen = at !== undefined && command.getOptionValueSource('window') === 'env';
      const window = isThen ? undefined : options.window;
      await withStore(options, async ({ store, find }) => {
        const info = await find(reference);
        const { contextFor, openKnowledge } = await import('../../agent/index.ts');
        const { onProgress, end } = showProgress('Reading what was compacted');
        await using knowledge = openKnowledge(store, {
          folder: process.cwd(),
          onProgress,
          onNotRecalled: (error) => sayNotRecalled(error, json),
        });
        const found = await contextFor(store, info.id, {
          knowledge,
          model,
          window,
          recall,
          at,
          // Without one, the newest question is asked again.
          question: question ?? (at === undefined ? { again: true } : undefined),
          ...compactionOf(info, options),
        }).finally(end);
        if (json) return printJson(toJson(found));
        if (found.chosen && options.window === undefined)
          for (const line of notesAbout(found.chosen)) note(dimNote(visibleText(line)));
        await printLines([...sayOrigin(found, options), ...renderMeter(found.context, { messages })]);
      });
    });
}

/** A preset of the environment is for sessions that have no policy of their own, as in a chat. */
function compactionOf(
  { state }: SessionInfo,
  { preset }: ContextOptions,
): Pick<ContextForOptions, 'compaction'> {
  if (preset === undefined || state.settings.compaction !== undefined) return {};
  return { compaction: preset === 'off' ? false : { settings: preset } };
}

function sayNotRecalled(error: unknown, json = false): void {
  const { code, message } = describeFailure(error);
  note(
    json
      ? toJsonText({ notRecalled: { code, message } })
      : dimNote(visibleText(`Nothing was recalled: ${message}`)),
  );
}

function notesAbout({ id, provider, limits, because, problem }: ChosenModel): string[] {
  const isUnknown = limits.source === 'default' && provider !== 'offline';
  return [
    ...(problem === undefined ? [] : [`${problem} ${id} would answer.`]),
    ...(because === 'offline' && problem === undefined ? [NO_MODEL] : []),
    ...(isUnknown
      ? [`The window of ${id} is not known, so this is that of a small one. --window says another.`]
      : []),
  ];
}

function sayOrigin(
  { as, sent }: SessionContext,
  { at, question, model, window, recall }: ContextOptions,
): string[] {
  if (sent) {
    const how = sent.exact ? ', to the byte' : '; rebuilt, and not quite what it was';
    return [`Sent to ${sent.model} for entry ${sent.seq}${how}.`];
  }
  const isWhatIf = [question, model, window, recall].some((given) => given !== undefined);
  if (as === 'next' || isWhatIf) return [];
  return [`Nothing says what was sent after entry ${at}, so this is rebuilt from the log as it was then.`];
}

/** The contract of `--json`: the meter's numbers first, then what is sent. */
function toJson({ context, holds, compacts, as, chosen, sent }: SessionContext) {
  const { window, reserve, tokens, parts, messages, leftOut, ...rest } = context;
  return {
    window,
    reserve,
    tokens,
    parts,
    messages,
    leftOut,
    ...rest,
    ...(as === 'next' && {
      messagesLoaded: holds.messages,
      compactionsApplied: holds.summaries,
      compacts,
    }),
    ...(chosen?.problem !== undefined && { modelProblem: chosen.problem }),
    ...(sent && { sent }),
  };
}
