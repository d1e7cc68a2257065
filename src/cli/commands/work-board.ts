import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { helpExamples } from '../help-text.ts';
import { parseWords } from '../parse-option.ts';
import { renderBoard, renderFeature, renderTask, renderWorkflow } from '../render/render-board.ts';
import { note, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { FEATURE_ARGUMENT, TASK_ARGUMENT, type WorkCommandOptions, withWork } from './work-place.ts';

interface BoardOptions extends WorkCommandOptions {
  name?: string;
  spec?: string;
  specFile?: string;
  folder?: string;
  branch?: string;
  title?: string;
  description?: string;
  after?: string[];
  remove?: boolean;
  reason?: string;
  force?: boolean;
}

/** features, feature, tasks, task, move and states. */
export function addBoardCommands(work: Command): void {
  work
    .command('features')
    .description('List the features of the project.')
    .addHelpText('after', helpExamples(['throughline work features --json', 'for programs']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      await withWork(options, { write: false }, async ({ work: desk, room }) => {
        const features = (await desk.features()).map(room.describeFeature);
        await (options.json ? printJsonList(features) : printLines(renderBoard(features, { tasks: false })));
      });
    });

  work
    .command('feature')
    .description('Show a feature; with options, add it or change it. What is not named stays as it is.')
    .argument('<feature>', FEATURE_ARGUMENT)
    .option('--name <name>', 'what people call it')
    .option('--spec <text>', 'what it is to do')
    .option('--spec-file <file>', 'the file that says so, relative to its folder; read again when it changes')
    .option('--folder <folder>', 'where its files are: a work tree of its own')
    .option('--branch <branch>', 'the branch it is made on')
    .option('--remove', 'take it off the board; everything about it stays in the log')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline work feature auth --name "Sign in"', 'add it, or give it another name'],
        ['throughline work feature auth --folder .dagent-worktrees/auth', 'agents are shown the files there'],
      ),
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { name, spec, specFile, branch, folder, remove } = options;
      const fields = given({
        name,
        spec,
        specFile,
        branch,
        folder: folder && path.resolve(folder),
        removed: remove,
      });
      const write = Object.keys(fields).length > 0;
      await withWork(options, { write }, async ({ work: desk, room }) => {
        const feature = write
          ? await desk.setFeature(id, { ...fields, by: userName() })
          : await desk.feature(id);
        if (specFile !== undefined) warnIfMissing(specFile, feature.folder ?? desk.place.folder);
        const described = room.describeFeature(feature);
        await (options.json ? printJson(described) : printLines(renderFeature(described)));
      });
    });

  work
    .command('tasks')
    .description('List the tasks of a feature, or of all.')
    .argument('[feature]', FEATURE_ARGUMENT)
    .addHelpText('after', helpExamples(['throughline work tasks auth', 'with state and what each waits for']))
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      await withWork(options, { write: false }, async ({ work: desk, room }) => {
        const features = id === undefined ? await desk.features() : [await desk.feature(id)];
        const described = features.map(room.describeFeature);
        await (options.json
          ? printJsonList(described.flatMap(({ tasks }) => tasks))
          : printLines(renderBoard(described)));
      });
    });

  work
    .command('task')
    .description('Show a task; with options, add it or change it. What is not named stays as it is.')
    .argument('<feature>', FEATURE_ARGUMENT)
    .argument('<task>', TASK_ARGUMENT)
    .option('--title <title>', 'in a few words')
    .option('--description <text>', 'what is to be done, and how one can tell that it is')
    .option('--after <tasks>', 'tasks that have to be done first, with commas between them', parseWords)
    .option('--remove', 'take it off the board; everything about it stays in the log')
    .addHelpText(
      'after',
      helpExamples(
        [
          'throughline work task auth login --title "Build the login" --after store',
          'waits for another task',
        ],
        ['throughline work task auth login', 'its state, sessions and history'],
      ),
    )
    .action(async (featureId: string, id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { title, description, after, remove } = options;
      const fields = given({ title, description, dependsOn: after, removed: remove });
      const write = Object.keys(fields).length > 0;
      await withWork(options, { write }, async ({ work: desk, room }) => {
        const task = write
          ? await desk.setTask(featureId, id, { ...fields, by: userName() })
          : await desk.task(featureId, id);
        const described = room.describeTask(await desk.feature(featureId), task);
        await (options.json ? printJson(described) : printLines(renderTask(described)));
      });
    });

  work
    .command('move')
    .description('Move a task, or a feature, to another state. Every step is kept.')
    .argument('<feature>', FEATURE_ARGUMENT)
    .argument('<task-and-state...>', 'a task and its next state; only a state for the feature itself')
    .option('--reason <text>', 'why')
    .option('--force', 'go even if the workflow has no such step, or something it waits for is not done')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline work move auth login in_qa', 'the task goes to the testers'],
        ['throughline work move auth in_progress', 'the feature has begun'],
        ['throughline work move auth login in_dev --reason "no error on an empty field"', 'back again'],
      ),
    )
    .action(async (featureId: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { usageError } = await import('../usage-error.ts');
      if (words.length > 2)
        throw usageError('Name a task and a state, or only a state for the feature itself.');
      const how = { by: userName(), ...given({ reason: options.reason, force: options.force }) };
      await withWork(options, { write: true }, async ({ work: desk, room }) => {
        if (words.length === 1) {
          const described = room.describeFeature(await desk.moveFeature(featureId, words[0]!, how));
          return options.json ? printJson(described) : printLines(renderFeature(described));
        }
        const task = await desk.moveTask(featureId, words[0]!, words[1]!, how);
        const described = room.describeTask(await desk.feature(featureId), task);
        return options.json ? printJson(described) : printLines(renderTask(described));
      });
    });

  work
    .command('states')
    .description('Show the states of tasks and features, and where each leads.')
    .addHelpText('after', helpExamples(['throughline work states', 'the workflow']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { TASK_WORKFLOW, FEATURE_WORKFLOW } = await import('../../work/index.ts');
      const workflow = { tasks: TASK_WORKFLOW, features: FEATURE_WORKFLOW };
      await (options.json ? printJson(workflow) : printLines(renderWorkflow(workflow)));
    });
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only what was named. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

function userName(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    return 'somebody';
  }
}

/** It may be written later; until then agents are told that it is not there. */
function warnIfMissing(file: string, folder: string | undefined): void {
  if (folder !== undefined && !existsSync(path.resolve(folder, file)))
    note(`Warning: there is no ${file} in ${folder} yet. Agents see it once it is there.`);
}
