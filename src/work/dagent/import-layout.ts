import { existsSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { FEATURE_WORKFLOW, type Feature, TASK_WORKFLOW, type Task } from '../../project/index.ts';
import { LONGEST_SPEC, WorkName } from '../../record/index.ts';
import type { ImportReport } from '../../transcripts/index.ts';
import type { Desk } from '../desk.ts';
import { moveFeature, moveTask, setFeature, setTask } from '../write-board.ts';
import { importSessions } from './import-sessions.ts';
import {
  DAGENT,
  type DamagedFile,
  FeatureFile,
  foldersIn,
  NODES,
  readJsonFile,
  TaskFile,
  WORKTREES,
} from './layout-files.ts';

export interface LayoutImport {
  readonly features: readonly string[];
  readonly tasks: readonly { readonly feature: string; readonly task: string }[];
  readonly sessions: readonly ImportReport[];
  /** Files that could not be read, or not wholly. They are as they were; what could be read of them was. */
  readonly damaged: readonly DamagedFile[];
}

/**
 * Reads `.dagent-worktrees` of a project: features, tasks with their states, sessions, and the older `chat.json`. Nothing is
 * changed there. Importing again adds only new entries.
 */
export async function importLayout(desk: Desk, folder: string): Promise<LayoutImport> {
  const found = { features: [] as string[], tasks: [] as { feature: string; task: string }[] };
  const sessions: ImportReport[] = [];
  const damaged: DamagedFile[] = [];
  const trees = path.join(folder, WORKTREES);
  if (!existsSync(folder))
    throw new ThroughlineError('usage', `There is no folder ${folder}.`, { details: { folder } });
  for (const name of await foldersIn(trees)) {
    const home = path.join(trees, name, DAGENT);
    if (!existsSync(home)) continue;
    if (!isName(name, home, damaged)) continue;
    const file = (await readJsonFile(path.join(home, 'feature.json'), FeatureFile, damaged)) ?? {};
    await importFeature(desk, name, file);
    found.features.push(name);
    const order = file.sessionId === undefined ? [] : [file.sessionId];
    sessions.push(...(await importSessions(desk, home, { feature: name, order }, damaged)));
    for (const task of await foldersIn(path.join(home, NODES))) {
      const own = path.join(home, NODES, task);
      if (!isName(task, own, damaged)) continue;
      const read = (await readJsonFile(path.join(own, 'task.json'), TaskFile, damaged)) ?? {};
      const problem = await importTask(desk, name, task, read);
      if (problem !== undefined) damaged.push({ file: path.join(own, 'task.json'), what: problem });
      found.tasks.push({ feature: name, task });
      const states = Object.entries(read.states ?? {}).map(([state, { sessionIds = [] }]) => ({
        state,
        sessionIds,
      }));
      const stateOf = (session: string) =>
        states.find(({ sessionIds }) => sessionIds.includes(session))?.state;
      const order = states.flatMap(({ sessionIds }) => sessionIds);
      const where = { feature: name, task, state: read.currentState ?? 'planning', stateOf, order };
      sessions.push(...(await importSessions(desk, own, where, damaged)));
    }
  }
  await linkDependencies(desk, folder, found.tasks);
  return { ...found, sessions, damaged };
}

// Changes of a feature or a task here since its import count more than the file.

async function importFeature(
  desk: Desk,
  name: string,
  { name: title, spec, state }: FeatureFile,
): Promise<void> {
  const known = (await desk.board()).features.get(name);
  if (!known) {
    await setFeature(desk, name, {
      ...(title !== undefined && { name: title.slice(0, 200) }),
      ...(spec !== undefined && { spec: spec.slice(0, LONGEST_SPEC) }),
    });
  }
  if (state !== undefined && Object.hasOwn(FEATURE_WORKFLOW, state) && isUntouched(known))
    await moveFeature(desk, name, state, { force: true, by: IMPORTER });
}

async function importTask(
  desk: Desk,
  feature: string,
  task: string,
  { title, description, currentState }: TaskFile,
): Promise<string | undefined> {
  const known = (await desk.board()).features.get(feature)?.tasks.get(task);
  if (!known) {
    await setTask(desk, feature, task, {
      ...(title !== undefined && { title: title.slice(0, 400) }),
      ...(description !== undefined && { description: description.slice(0, LONGEST_SPEC) }),
    });
  }
  if (currentState === undefined || !isUntouched(known)) return undefined;
  if (!Object.hasOwn(TASK_WORKFLOW, currentState)) return `"${currentState}" is no state that is known`;
  await moveTask(desk, feature, task, currentState, { force: true, by: IMPORTER });
  return undefined;
}

function isName(name: string, file: string, damaged: DamagedFile[]): boolean {
  const { success } = WorkName.safeParse(name);
  if (!success) damaged.push({ file, what: `"${name}" cannot be the name of a feature or a task` });
  return success;
}

const IMPORTER = 'import';

function isUntouched(known: Feature | Task | undefined): boolean {
  return known === undefined || known.moves.every(({ by }) => by === IMPORTER);
}

/** When all tasks are there: one may name another that comes later. */
async function linkDependencies(
  desk: Desk,
  folder: string,
  tasks: readonly { feature: string; task: string }[],
): Promise<void> {
  for (const { feature, task } of tasks) {
    const file = path.join(folder, WORKTREES, feature, DAGENT, NODES, task, 'task.json');
    const read = await readJsonFile(file, TaskFile, []);
    const { tasks: known } = (await desk.board()).features.get(feature)!;
    const dependsOn = (read?.dependsOn ?? []).filter((id) => known.has(id) && id !== task);
    if (dependsOn.length === 0 || known.get(task)!.dependsOn.length > 0) continue;
    try {
      await setTask(desk, feature, task, { dependsOn });
    } catch (error) {
      if (!isThroughlineError(error, 'usage')) throw error;
    }
  }
}
