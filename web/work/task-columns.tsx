import { useId } from 'react';
import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { useBoardActions } from './board-context.ts';
import type { Task } from './open-board.ts';
import { TaskCard } from './task-card.tsx';
import { columnsFor, sayState } from './workflow.ts';

/** The tasks of a feature, a column for each state, in the order that tasks go through them. */
export function TaskColumns({ tasks, of }: { tasks: readonly Task[]; of: string }) {
  const byState = Map.groupBy(tasks, ({ state }) => state);
  const known = new Map(tasks.map((task) => [task.id, task]));
  return (
    // Wider than the page with many columns: the arrow keys scroll it without a mouse.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
    <section className="columns-of-tasks" aria-label={`Tasks of ${of}`} tabIndex={0}>
      {columnsFor([...byState.keys()]).map((state) => (
        <Column key={state} state={state} tasks={byState.get(state) ?? []} known={known} />
      ))}
    </section>
  );
}

interface ColumnProps {
  readonly state: string;
  readonly tasks: readonly Task[];
  readonly known: ReadonlyMap<string, Task>;
}

function Column({ state, tasks, known }: ColumnProps) {
  const heading = useId();
  const { busy } = useBoardActions();
  const isEmpty = tasks.length === 0;
  return (
    <section
      className="task-column"
      data-state={state}
      data-empty={isEmpty}
      data-slim={isEmpty && !busy.has(state)}
      aria-labelledby={heading}
    >
      <h3 id={heading}>
        {sayState(state)}{' '}
        <span className="note">
          {tasks.length}
          <span className="out-of-sight"> {sayCount(tasks.length, 'task').replace(/^\S+ /, '')}</span>
        </span>
      </h3>
      {!isEmpty && (
        <ul>
          {tasks.map((task) => (
            <li key={task.id}>
              <TaskCard task={task} known={known} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
