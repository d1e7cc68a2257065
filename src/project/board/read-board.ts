import { isSessionMissing, ThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type Board, EMPTY_BOARD, type Feature, type Task } from './board.ts';
import { foldBoard } from './fold-board.ts';
import { FINISHED, STARTED, TASK_WORKFLOW } from './workflow.ts';

const PAGE = 1000;

/** What stands on a board, read on from `before`. A board without entries is empty. */
export async function readBoard(
  store: Store,
  id: SessionId | undefined,
  { before = EMPTY_BOARD }: { before?: Board } = {},
): Promise<Board> {
  if (id === undefined) return EMPTY_BOARD;
  let board = before;
  try {
    for (;;) {
      const entries = await store.read(id, { after: board.head, limit: PAGE, only: 'notes' });
      if (entries.length > 0) board = foldBoard(entries, board);
      if (entries.length < PAGE) return board;
    }
  } catch (error) {
    if (isSessionMissing(error)) return EMPTY_BOARD;
    throw error;
  }
}

export function featureOn(board: Board, id: string): Feature {
  const feature = board.features.get(id);
  if (feature) return feature;
  const known = [...board.features.keys()];
  const hint = known.length === 0 ? 'There are none yet' : `There are: ${known.slice(0, 10).join(', ')}`;
  throw new ThroughlineError('feature-not-found', `No feature "${id}". ${hint}.`, {
    details: { feature: id, features: known },
  });
}

export function taskOn(board: Board, featureId: string, id: string): Task {
  const feature = featureOn(board, featureId);
  const task = feature.tasks.get(id);
  if (task) return task;
  const known = [...feature.tasks.keys()];
  const hint = known.length === 0 ? 'It has none yet' : `It has: ${known.slice(0, 10).join(', ')}`;
  throw new ThroughlineError('task-not-found', `Feature "${featureId}" has no task "${id}". ${hint}.`, {
    details: { feature: featureId, task: id, tasks: known },
  });
}

/** The tasks that wait for this one. */
export function dependentsOf(feature: Feature, id: string): Task[] {
  return [...feature.tasks.values()].filter(({ dependsOn }) => dependsOn.includes(id));
}

/** What a task waits for: the tasks it depends on that are not done. One that was removed is waited for no more. */
export function openDependencies({ tasks }: Feature, { dependsOn }: Task): string[] {
  return dependsOn.filter((id) => tasks.has(id) && !FINISHED.has(tasks.get(id)!.state));
}

/** The states that a task may go to as the board is now. */
export function nextStates(feature: Feature, task: Task): string[] {
  const waits = openDependencies(feature, task).length > 0;
  return (TASK_WORKFLOW[task.state] ?? []).filter((state) => !(waits && STARTED.has(state)));
}
