import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { ThroughlineError } from '../../errors.ts';
import { helpExamples } from '../help-text.ts';
import { renderCompaction } from '../render/render-compaction.ts';
import { renderWorkSession, renderWorkSessions } from '../render/render-work-session.ts';
import { printJson, printJsonList, printLines } from '../terminal/print.ts';
import { sayNumber } from '../terminal/say.ts';
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
  agent?: string;
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
    .action(
      async (featureId: string | undefined, taskId: string | undefined, _: unknown, command: Command) => {
        const options = command.optsWithGlobals<SessionOptions>();
        await withWork(options, { write: false }, async ({ work: desk }) => {
          const ids = featureId === undefined ? (await desk.features()).map(({ id }) => id) : [featureId];
          const links = await Promise.all(ids.map((id) => desk.sessions(id, taskId, options.state)));
          const lines = await Promise.all(
            links
              .flat()
              .map(async ({ session, ended }) => ({ ...(await desk.describeSession(session)), ended })),
          );
          await (options.json ? printJsonList(lines) : printLines(renderWorkSessions(lines)));
        });
      },
    );

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
    .action(
      async (type: string, featureId: string, taskId: string | undefined, _: unknown, command: Command) => {
        const options = command.optsWithGlobals<SessionOptions>();
        await withWork(options, { write: true }, async ({ work: desk, room }) => {
          const sort = room.readSessionType(type);
          if (options.end) {
            const active = await desk.getActiveSession(featureId, taskId, options.state, sort);
            if (active === undefined) throw noneToEnd(sort, featureId, taskId);
            await desk.endSession(active);
            return options.json ? printJson(await desk.describeSession(active)) : printLines([active]);
          }
          const agent = options.agent === undefined ? undefined : room.readAgentType(options.agent);
          const id =
            options.new || agent
              ? await desk.createSession(sort, featureId, taskId, agent, options.state)
              : await desk.getOrCreateSession(sort, featureId, taskId, options.state);
          return options.json ? printJson(await desk.describeSession(id)) : printLines([id]);
        });
      },
    );

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
    .action(async (id: string, role: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      if (role !== 'user' && role !== 'assistant')
        throw usageError(`A message is of "user" or "assistant", not of "${role}".`);
      const content = words.length > 0 ? words.join(' ') : await readAll(process.stdin);
      if (content.trim() === '') throw usageError('There is nothing to add: give a text, or pipe one in.');
      await withWork(options, { write: true }, async ({ work: desk }) => {
        const { id: entry, seq } = await desk.addMessage(id, role, content);
        const tokens = await desk.estimateRequestSize(id);
        await (options.json
          ? printJson({ session: id, entry, seq, requestTokens: tokens, budget: desk.budget })
          : printLines([
              `Entry ${seq}. With room for a question, the next request would take ${sayNumber(tokens)} of ${sayNumber(desk.budget)} tokens.`,
            ]));
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
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(options, { write: true }, async ({ work: desk }) => {
        const result = await desk.compact(id);
        await (options.json ? printJson(result) : printLines(renderCompaction(id, result)));
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
    .action(async (id: string, shown: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SessionOptions>();
      await withWork(options, { write: true }, async ({ work: desk }) => {
        await (options.hide ? desk.hideCheckpoint(id, shown) : desk.showCheckpoint(id, shown));
        const described = await desk.describeSession(id);
        await (options.json ? printJson(described) : printLines(renderWorkSession(described)));
      });
    });
}

function noneToEnd(type: string, feature: string, task: string | undefined): ThroughlineError {
  const place = task === undefined ? feature : `${feature}/${task}`;
  return new ThroughlineError(
    'session-not-found',
    `No ${type} session of ${place} is active: nothing was ended. List them with "throughline work sessions"; --state names another state.`,
    { details: { type, feature, ...(task !== undefined && { task }) } },
  );
}
