import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { helpExamples } from '../help-text.ts';
import { parseAmount, parseWords } from '../parse-option.ts';
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
    .action(async (id: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ work: desk }) => {
        if (options.size) {
          const described = await desk.describeSession(id);
          return options.json ? printJson(described.tokens) : printLines(renderWorkSession(described));
        }
        const question = words.length > 0 ? words.join(' ') : await readAll(process.stdin);
        if (question.trim() === '') throw usageError('There is no question: give one, or pipe it in.');
        const request = await desk.buildRequest(id, question);
        if (options.json) return printJson(request);
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
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ work: desk }) => {
        const checkpoint = await desk.checkpoint(id);
        await (options.json ? printJson(checkpoint) : printLines(renderCheckpointFile(checkpoint)));
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
    .action(async (id: string, iteration: number, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: true }, async ({ work: desk }) => {
        const { passed = [], failed = [], error = null } = options;
        const loop = await desk.recordLoop(id, iteration, { passed, failed, lastError: error });
        await (options.json ? printJson(loop) : printLines(renderCheckpointFile(await desk.checkpoint(id))));
      });
    });

  work
    .command('agents')
    .description(
      'Show what agents are told. With --write, as files to edit; what is there already is left alone.',
    )
    .option('--write', 'write .throughline/agents/<type>.json for each that has none')
    .addHelpText('after', helpExamples(['throughline work agents --write', 'then edit the files']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RequestOptions>();
      await withWork(options, { write: false }, async ({ work: desk, room }) => {
        if (options.write) await room.writeAgents(desk.agents);
        const agents = await Promise.all(
          room.AGENT_TYPES.map(async (type) => ({ type, file: null, ...(await desk.agents.read(type)) })),
        );
        await (options.json
          ? printJsonList(agents)
          : printLines(
              agents.flatMap(({ type, file, role }) => [
                `${type}  ${file ?? '(comes with the program)'}`,
                `  ${role}`,
              ]),
            ));
      });
    });
}
