import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { OWN_MACHINE, perform, printedBy } from '../../../operations/index.ts';
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
      await withWork(options, { write: false }, async ({ app, operations: { listFeatures }, project }) => {
        const board = await perform(listFeatures, { project }, app);
        await (options.json
          ? printJsonList(printedBy(listFeatures, 'work features', board) as unknown[])
          : printLines(renderBoard(board.features, { tasks: false })));
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
    .action(async (feature: string, _: unknown, command: Command) => {
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
      await withWork(
        options,
        { write },
        async ({ app, operations: { editFeature, getFeature }, project, folder: top }) => {
          const shown = write
            ? await perform(editFeature, { project, feature, ...fields }, app)
            : await perform(getFeature, { project, feature }, app);
          if (specFile !== undefined) warnIfMissing(specFile, shown.feature.folder ?? top);
          if (!options.json) return printLines(renderFeature(shown.feature));
          return printJson(
            write
              ? printedBy(editFeature, 'work feature --name', shown)
              : printedBy(getFeature, 'work feature', shown),
          );
        },
      );
    });

  work
    .command('tasks')
    .description('List the tasks of a feature, or of all.')
    .argument('[feature]', FEATURE_ARGUMENT)
    .addHelpText('after', helpExamples(['throughline work tasks auth', 'with state and what each waits for']))
    .action(async (feature: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      await withWork(
        options,
        { write: false },
        async ({ app, operations: { getFeature, listFeatures, listTasks }, project }) => {
          if (options.json) {
            const listed = await perform(listTasks, { project, feature }, app);
            return printJsonList(printedBy(listTasks, 'work tasks', listed) as unknown[]);
          }
          // People are shown the features around them too.
          const features =
            feature === undefined
              ? (await perform(listFeatures, { project }, app)).features
              : [(await perform(getFeature, { project, feature }, app)).feature];
          return printLines(renderBoard(features));
        },
      );
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
    .action(async (feature: string, task: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { title, description, after, remove } = options;
      const fields = given({ title, description, dependsOn: after, removed: remove });
      const write = Object.keys(fields).length > 0;
      await withWork(options, { write }, async ({ app, operations: { editTask, getTask }, project }) => {
        const shown = write
          ? await perform(editTask, { project, feature, task, ...fields }, app)
          : await perform(getTask, { project, feature, task }, app);
        if (!options.json) return printLines(renderTask(shown.task));
        return printJson(
          write ? printedBy(editTask, 'work task --title', shown) : printedBy(getTask, 'work task', shown),
        );
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
    .action(async (feature: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { usageError } = await import('../usage-error.ts');
      if (words.length > 2)
        throw usageError('Name a task and a state, or only a state for the feature itself.');
      const how = given({ reason: options.reason, force: options.force });
      const [task, state] = words;
      await withWork(
        options,
        { write: true },
        async ({
          app,
          operations: { moveFeatureOperation: moveFeature, moveTaskOperation: moveTask },
          project,
        }) => {
          if (state === undefined) {
            const moved = await perform(moveFeature, { project, feature, to: task!, ...how }, app);
            return options.json
              ? printJson(printedBy(moveFeature, 'work move <feature> <state>', moved))
              : printLines(renderFeature(moved.feature));
          }
          const moved = await perform(moveTask, { project, feature, task: task!, to: state, ...how }, app);
          return options.json
            ? printJson(printedBy(moveTask, 'work move <feature> <task> <state>', moved))
            : printLines(renderTask(moved.task));
        },
      );
    });

  work
    .command('states')
    .description('Show the states of tasks and features, and where each leads.')
    .addHelpText('after', helpExamples(['throughline work states', 'the workflow']))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<BoardOptions>();
      const { listStates } = await import('../../../operations/work/index.ts');
      const workflow = await perform(listStates, {}, OWN_MACHINE);
      await (options.json
        ? printJson(printedBy(listStates, 'work states', workflow))
        : printLines(renderWorkflow(workflow)));
    });
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the options that were given. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The file may be written later. Until then requests say that it is missing. */
function warnIfMissing(file: string, folder: string | undefined): void {
  if (folder !== undefined && !existsSync(path.resolve(folder, file)))
    note(`Warning: there is no ${file} in ${folder} yet. Agents see it once it is there.`);
}
