import { type Command, Option } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { sayNumber } from '../../../text/index.ts';
import type { AgentType } from '../../../work/index.ts';
import { helpExamples } from '../help-text.ts';
import { readStdin } from '../read-stdin.ts';
import { renderCompaction } from '../render/render-compaction.ts';
import { renderWorkSession, renderWorkSessions } from '../render/render-work-session.ts';
import { printJson, printJsonList, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
import {
  FEATURE_ARGUMENT,
  TASK_ARGUMENT,
  WORK_SESSION_ARGUMENT,
  type WorkCommandOptions,
  withWork,
} from './work-place.ts';

interface SessionOptions extends WorkCommandOptions {
  state?: string;
  agent?: AgentType;
  new?: boolean;
  end?: boolean;
  hide?: boolean;
}

/** sessions, session, add, compact and show. */
export function addWorkSessionCommands(work: Command): void {
  work
    .command('sessions')
    .description('List the sessions of a feature or a task, with what their next request would take.')
    .argument('[feature]', FEATURE_ARGUMENT)
    .argument('[task]', TASK_ARGUMENT)
    .option('--state <state>', 'only those for this state of the task')
    .addHelpText('after', helpExamples(['throughline work sessions auth login', 'all of a task']))
    .action(async (feature: string | undefined, task: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(
        options,
        { write: false },
        async ({ app, operations: { listWorkSessions }, project }) => {
          const { state } = options;
          const listed = await perform(listWorkSessions, { project, feature, task, state }, app);
          await (options.json
            ? printJsonList(printedBy(listWorkSessions, 'work sessions', listed) as unknown[])
            : printLines(renderWorkSessions(listed.sessions)));
        },
      );
    });

  work
    .command('session')
    .description('Give the session to work in: the active one of the place, or a new one.')
    .argument('<type>', 'pm-feature, dev-task, qa-task, harness or merge')
    .argument('<feature>', FEATURE_ARGUMENT)
    .argument('[task]', TASK_ARGUMENT)
    .option('--state <state>', "the state of the task that it is for (default: the task's own)")
    .addOption(
      new Option('--agent <agent>', 'who works in it').choices(['pm', 'dev', 'qa', 'harness', 'merge']),
    )
    .option('--new', 'always a new one')
    .addOption(
      new Option('--end', 'say that the active one is over; the next one who asks gets another').conflicts([
        'new',
        'agent',
      ]),
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline work session dev-task auth login', 'prints its id'],
        ['throughline work session qa-task auth login --new', 'start over'],
      ),
    )
    .action(async (type: string, feature: string, task: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(options, { write: true }, async ({ app, operations, project }) => {
        const { readSessionType } = await import('../../../work/index.ts');
        const { createWorkSessionOperation: createWorkSession, endWorkSession, openWorkSession } = operations;
        const { agent, end, json, state } = options;
        const place = { project, type: readSessionType(type), feature, task, state };
        if (end) {
          const ended = await perform(endWorkSession, place, app);
          if (json) return printJson(printedBy(endWorkSession, 'work session --end', ended));
          return printLines([ended.session.session]);
        }
        if (options.new || agent) {
          const made = await perform(createWorkSession, { ...place, agent }, app);
          if (json) return printJson(printedBy(createWorkSession, 'work session --new', made));
          return printLines([made.session.session]);
        }
        const opened = await perform(openWorkSession, place, app);
        if (json) return printJson(printedBy(openWorkSession, 'work session', opened));
        return printLines([opened.session.session]);
      });
    });

  work
    .command('add')
    .description('Add a message to a session. Compacts it if its next request would be over the budget.')
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .argument('<role>', 'user or assistant')
    .argument('[text...]', 'what was said (default: what is piped in)')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline work add dev_auth_login_in_dev user "Make the tests pass"', 'a question'],
        ['agent < request | throughline work add dev_auth_login_in_dev assistant', 'an answer from a pipe'],
      ),
    )
    .action(async (sessionId: string, role: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      if (role !== 'user' && role !== 'assistant')
        throw usageError(`A message is of "user" or "assistant", not of "${role}".`);
      const content = words.length > 0 ? words.join(' ') : await readStdin();
      if (content.trim() === '') throw usageError('There is nothing to add: give a text, or pipe one in.');
      await withWork(options, { write: true }, async ({ app, operations: { addWorkMessage } }) => {
        const added = await perform(addWorkMessage, { sessionId, role, content }, app);
        if (options.json) return printJson(printedBy(addWorkMessage, 'work add', added));
        const { seq, requestTokens, budget, waiting } = added;
        return printLines([
          ...(waiting
            ? ['A loop runs in the session; it takes the message up before its next question.']
            : []),
          `Entry ${seq}. With room for a question, the next request would take ${sayNumber(requestTokens)} of ${sayNumber(budget)} tokens.`,
        ]);
      });
    });

  work
    .command('compact')
    .description('Bring the checkpoint of a session up to date: it stands in for all but the newest turn.')
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(['throughline work compact dev_auth_login_in_dev', 'by the digest, or by --model']),
    )
    .action(async (sessionId: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(options, { write: true }, async ({ app, operations: { compactWorkSession } }) => {
        const result = await perform(compactWorkSession, { sessionId }, app);
        await (options.json
          ? printJson(printedBy(compactWorkSession, 'work compact', result))
          : printLines(renderCompaction(sessionId, result)));
      });
    });

  work
    .command('show')
    .description('Let the requests of one session show the checkpoint of another, to read.')
    .argument('<session>', WORK_SESSION_ARGUMENT)
    .argument('<other>', 'the session whose checkpoint it is shown')
    .option('--hide', 'no longer')
    .addHelpText(
      'after',
      helpExamples([
        'throughline work show qa_auth_login_in_qa dev_auth_login_in_dev',
        'the tester sees what the developer came to',
      ]),
    )
    .action(async (sessionId: string, other: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(options, { write: true }, async ({ app, operations: { showWorkCheckpoint } }) => {
        const shown = await perform(showWorkCheckpoint, { sessionId, other, hide: options.hide }, app);
        await (options.json
          ? printJson(printedBy(showWorkCheckpoint, 'work show', shown))
          : printLines(renderWorkSession(shown.session)));
      });
    });
}
