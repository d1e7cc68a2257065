import { ThroughlineError } from '../errors.ts';
import {
  type Board,
  checkMove,
  FEATURE_WORKFLOW,
  type Feature,
  featureOn,
  openDependencies,
  STARTED,
  TASK_WORKFLOW,
  type Task,
  taskOn,
} from '../project/index.ts';
import type { WorkFeature, WorkLabel, WorkTask } from '../record/index.ts';
import { retryOnHeadMoved } from '../store/index.ts';
import {
  CheckedFeatureFields,
  CheckedMoveOptions,
  CheckedTaskFields,
  checkCall,
  checkNames,
} from './check-values.ts';
import type { Desk } from './desk.ts';

export type FeatureFields = Omit<WorkFeature, 'kind' | 'step' | 'feature'>;
export type TaskFields = Omit<WorkTask, 'kind' | 'step' | 'feature' | 'task'>;

/** Adds a feature, or says something new about one. Other fields stay as they were. */
export async function setFeature(desk: Desk, id: string, fields: FeatureFields = {}): Promise<Feature> {
  checkNames(CheckedFeatureFields, fields, 'setFeature');
  const board = await desk.board();
  const known = fields.removed ? featureOn(board, id) : board.features.get(id);
  if (!known || changes(known, fields))
    await append(desk, { kind: 'work', step: 'feature', feature: id, ...fields });
  return fields.removed ? known! : featureOn(await desk.board(), id);
}

/** Adds a task to a feature, or says something new about one. Tasks that wait for each other in a circle are refused. */
export async function setTask(
  desk: Desk,
  feature: string,
  id: string,
  fields: TaskFields = {},
): Promise<Task> {
  checkNames(CheckedTaskFields, fields, 'setTask');
  return inStep(desk, async (board) => {
    const known = fields.removed ? taskOn(board, feature, id) : featureOn(board, feature).tasks.get(id);
    if (fields.dependsOn) checkDependencies(board, feature, id, fields.dependsOn);
    const body: WorkLabel = { kind: 'work', step: 'task', feature, task: id, ...fields };
    const write = !known || changes(known, fields);
    return {
      body: write ? body : undefined,
      result: (after) => (fields.removed ? known! : taskOn(after, feature, id)),
    };
  });
}

export interface MoveOptions {
  readonly by?: string;
  readonly reason?: string;
  /** Go even if the workflow has no such step, or something that it depends on is not done. */
  readonly force?: boolean;
}

/**
 * Moves a task to a state. It is decided by the board as it is when the move is written: of two who move at once one is
 * first, and the other is judged by where the task is then. A task that is there already is left alone.
 */
export async function moveTask(
  desk: Desk,
  feature: string,
  id: string,
  to: string,
  options: MoveOptions = {},
): Promise<Task> {
  checkCall(CheckedMoveOptions, options, 'moveTask');
  const { by, reason, force = false } = options;
  return inStep(desk, (board) => {
    const task = taskOn(board, feature, id);
    if (task.state !== to && !force) {
      checkMove(TASK_WORKFLOW, { what: `Task "${feature}/${id}"`, from: task.state, to });
      checkReady(board, task, to);
    }
    if (!Object.hasOwn(TASK_WORKFLOW, to)) throw noState(to, Object.keys(TASK_WORKFLOW));
    const note = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    const body: WorkLabel = { kind: 'work', step: 'moved', feature, task: id, from: task.state, to, ...note };
    return { body: task.state === to ? undefined : body, result: (after) => taskOn(after, feature, id) };
  });
}

export async function moveFeature(
  desk: Desk,
  id: string,
  to: string,
  options: MoveOptions = {},
): Promise<Feature> {
  checkCall(CheckedMoveOptions, options, 'moveFeature');
  const { by, reason, force = false } = options;
  return inStep(desk, (board) => {
    const { state: from } = featureOn(board, id);
    if (from !== to && !force) checkMove(FEATURE_WORKFLOW, { what: `Feature "${id}"`, from, to });
    if (!Object.hasOwn(FEATURE_WORKFLOW, to)) throw noState(to, Object.keys(FEATURE_WORKFLOW));
    const note = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    const body: WorkLabel = { kind: 'work', step: 'moved', feature: id, from, to, ...note };
    return { body: from === to ? undefined : body, result: (after) => featureOn(after, id) };
  });
}

interface Step<T> {
  readonly body: WorkLabel | undefined;
  readonly result: (after: Board) => T;
}

/** Decides by the newest board and writes only if it is still the newest. */
async function inStep<T>(desk: Desk, decide: (board: Board) => Step<T> | Promise<Step<T>>): Promise<T> {
  return retryOnHeadMoved(async () => {
    const board = await desk.board();
    const { body, result } = await decide(board);
    if (!body) return result(board);
    await append(desk, body, { expectedHead: board.head });
    return result(await desk.board());
  });
}

async function append(desk: Desk, body: WorkLabel, options: { expectedHead?: number } = {}): Promise<void> {
  const id = await desk.boardToWrite();
  await desk.store.append(id, [{ at: desk.now(), body }], options);
}

function changes(known: Feature | Task, fields: FeatureFields | TaskFields): boolean {
  const { by: _, ...said } = fields;
  const now = known as unknown as Record<string, unknown>;
  return Object.entries(said).some(
    ([field, value]) => JSON.stringify(now[field] ?? null) !== JSON.stringify(value ?? null),
  );
}

function checkDependencies(board: Board, feature: string, id: string, dependsOn: readonly string[]): void {
  const { tasks } = featureOn(board, feature);
  for (const other of dependsOn) if (other !== id) taskOn(board, feature, other);
  const seen = new Set<string>();
  const waiting = [...dependsOn];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === id) {
      throw new ThroughlineError(
        'usage',
        `Task "${feature}/${id}" would wait for itself: ${dependsOn.join(', ')}.`,
        {
          details: { feature, task: id, dependsOn },
        },
      );
    }
    if (!seen.has(next)) waiting.push(...(tasks.get(next)?.dependsOn ?? []));
    seen.add(next);
  }
}

function checkReady(board: Board, task: Task, to: string): void {
  if (!STARTED.has(to)) return;
  const open = openDependencies(featureOn(board, task.feature), task);
  if (open.length === 0) return;
  throw new ThroughlineError(
    'transition-refused',
    `Task "${task.feature}/${task.id}" waits for ${open.join(', ')}, which ${open.length === 1 ? 'is' : 'are'} not done. Finish that first, or move it with force.`,
    { details: { from: task.state, to, open } },
  );
}

function noState(state: string, states: readonly string[]): ThroughlineError {
  return new ThroughlineError(
    'transition-refused',
    `"${state}" is no state. There are: ${states.join(', ')}.`,
    {
      details: { to: state, states },
    },
  );
}
