import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseAmount, parseWords } from '../parse-option.ts';
import { readStdin } from '../read-stdin.ts';
import { renderCheckpointFile, renderWorkSession } from '../render/render-work-session.ts';
import { print, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
import { WORK_SESSION_ARGUMENT, type WorkCommandOptions, withWork } from './work-place.ts';

interface RequestOptions extends WorkCommandOptions {
  size?: boolean;
  write?: boolean;
  passed?: string[];
  failed?: string[];
  error?: string;
}

/** request, checkpoint, loop and agents. */
export function addRequestCommands(work: Command): void {
  work
    .command('request')
    .description(
      'Build the whole request for the next question: role, context, checkpoint, recent conversation.',
    )
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .argument('[question...]', 'what is asked (default: what is piped in)')
    .option('--size', 'only say what it would take, part by part')
    .addHelpText(
      'after',
      helpExamples(
        [
          'throughline work request dev_auth_login_in_dev "Go on" --json',
          'systemPrompt, userPrompt, totalTokens',
        ],
        ['throughline work request dev_auth_login_in_dev --size', 'how full it is'],
      ),
    )
    .action(async (sessionId: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ app, operations }) => {
        const { buildWorkRequestOperation: buildWorkRequest, getWorkSession } = operations;
        if (options.size) {
          const described = await perform(getWorkSession, { sessionId }, app);
          return options.json
            ? printJson(printedBy(getWorkSession, 'work request --size', described))
            : printLines(renderWorkSession(described.session));
        }
        const question = words.length > 0 ? words.join(' ') : await readStdin();
        if (question.trim() === '') throw usageError('There is no question: give one, or pipe it in.');
        const request = await perform(buildWorkRequest, { sessionId, question }, app);
        if (options.json) return printJson(printedBy(buildWorkRequest, 'work request', request));
        return print(`${request.systemPrompt}\n\n---\n\n${request.userPrompt.trimEnd()}\n`);
      });
    });

  work
    .command('checkpoint')
    .description(
      'Show how the work of a session stands: done, open, decided, blocked, and the tokens it saved.',
    )
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(['throughline work checkpoint dev_auth_login_in_dev --json', 'as orchestrators store it']),
    )
    .action(async (sessionId: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ app, operations: { getWorkCheckpoint } }) => {
        const read = await perform(getWorkCheckpoint, { sessionId }, app);
        await (options.json
          ? printJson(printedBy(getWorkCheckpoint, 'work checkpoint', read))
          : printLines(renderCheckpointFile(read.checkpoint)));
      });
    });

  work
    .command('loop')
    .description(
      'Write down how an iteration came out: which checks passed, which failed, and the last error.',
    )
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .argument('<iteration>', 'its number', parseAmount)
    .option('--passed <checks>', 'with commas between them', parseWords)
    .option('--failed <checks>', 'with commas between them', parseWords)
    .option('--error <text>', 'what the last failure said')
    .addHelpText(
      'after',
      helpExamples([
        'throughline work loop dev_auth_login_in_dev 3 --passed build,lint --failed test',
        'after iteration 3',
      ]),
    )
    .action(async (sessionId: string, iteration: number, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(
        options,
        { write: true },
        async ({ app, operations: { getWorkCheckpoint, recordWorkLoop } }) => {
          const { passed, failed, error: lastError } = options;
          const outcome = { sessionId, iteration, passed, failed, lastError };
          const recorded = await perform(recordWorkLoop, outcome, app);
          if (options.json) return printJson(printedBy(recordWorkLoop, 'work loop', recorded));
          const { checkpoint } = await perform(getWorkCheckpoint, { sessionId }, app);
          return printLines(renderCheckpointFile(checkpoint));
        },
      );
    });

  work
    .command('agents')
    .description(
      'Show the descriptions that agents are given. With --write, as files to edit; what is there already is left alone.',
    )
    .option('--write', 'write .throughline/agents/<type>.json for each that has none')
    .addHelpText('after', helpExamples(['throughline work agents --write', 'then edit the files']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ app, operations, project }) => {
        const { listWorkAgents, writeWorkAgents } = operations;
        const listed = options.write
          ? await perform(writeWorkAgents, { project }, app)
          : await perform(listWorkAgents, { project }, app);
        const printed = options.write
          ? printedBy(writeWorkAgents, 'work agents --write', listed)
          : printedBy(listWorkAgents, 'work agents', listed);
        await (options.json
          ? printJsonList(printed as unknown[])
          : printLines(
              listed.agents.flatMap(({ type, file, role }) => [
                `${type}  ${file ?? '(comes with the program)'}`,
                `  ${role}`,
              ]),
            ));
      });
    });
}
