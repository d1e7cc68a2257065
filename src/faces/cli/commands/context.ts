import { type Command, Option } from 'commander';
import type { showContext } from '../../../operations/context/index.ts';
import {
  type Failure,
  type OperationResult,
  perform,
  printedBy,
  sayAgentProblem,
} from '../../../operations/index.ts';
import type { PresetName, Seq } from '../../../record/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { parseCount, presetOption, recallOption } from '../parse-option.ts';
import { sayError } from '../print-error.ts';
import { renderMeter } from '../render/render-meter.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines, toJson } from '../terminal/print.ts';
import { showProgress } from '../terminal/show-progress.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

type Shown = OperationResult<typeof showContext>;

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
  'No model is connected here, so this is for the offline model, which only quotes. --model or --window names another.';

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
    .addOption(presetOption('').hideHelp())
    .option('--model <provider:model>', "the model to send it to (default: the session's)")
    .option('--question <text>', 'as if this were asked next')
    .addOption(recallOption())
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
      const { at, question, model, preset, window, recall, json, messages = false } = options;
      // What stands in the environment or a file is for turns to come, and asks about no other request than was sent.
      const named: ContextOptions = Object.fromEntries(
        Object.entries(options).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
      );
      await withStore(options, async ({ app, find }) => {
        const { id } = await find(reference);
        const { isWhatIf, showContext } = await import('../../../operations/context/index.ts');
        const asSent = !isWhatIf(named);
        const { onProgress, end } = showProgress('Reading what was compacted');
        const params = { sessionId: id, model, window, preset, question, recall, at, asSent };
        const shown = await perform(showContext, params, app, { onProgress, sayError }).finally(end);
        if (shown.notRecalled) sayNotRecalled(shown.notRecalled, json);
        if (json) return printJson(printedBy(showContext, 'context', shown));
        if (shown.agentProblem !== undefined) note(dimNote(visibleText(sayAgentProblem(shown.agentProblem))));
        if (shown.summaryInstructions !== undefined)
          note(dimNote(`Summaries, by its agent: ${visibleLine(shown.summaryInstructions)}`));
        if (shown.chosen && window === undefined)
          for (const line of notesAbout(shown.chosen)) note(dimNote(visibleText(line)));
        await printLines([...sayOrigin(shown, { at, asSent }), ...renderMeter(shown.context, { messages })]);
      });
    });
}

function sayNotRecalled(notRecalled: Failure, json = false): void {
  const { message } = notRecalled;
  note(json ? toJson({ notRecalled }) : dimNote(visibleText(`Nothing was recalled: ${message}`)));
}

function notesAbout({
  id,
  because,
  problem,
  answeredBy = id,
  isWindowKnown,
}: NonNullable<Shown['chosen']>): string[] {
  return [
    ...(problem === undefined ? [] : [`${problem} ${answeredBy} would answer.`]),
    ...(because === 'offline' && problem === undefined ? [NO_MODEL] : []),
    ...(isWindowKnown
      ? []
      : [`The window of ${id} is not known, so this is that of a small one. --window says another.`]),
  ];
}

function sayOrigin({ as, sent }: Shown, { at, asSent }: { at: Seq | undefined; asSent: boolean }): string[] {
  if (sent) {
    const how = sent.exact ? ', to the byte' : '; rebuilt, and not quite what it was';
    return [`Sent to ${sent.model} for entry ${sent.seq}${how}.`];
  }
  if (as === 'next' || !asSent) return [];
  return [`Nothing says what was sent after entry ${at}, so this is rebuilt from the log as it was then.`];
}
