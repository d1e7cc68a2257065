import { useId } from 'react';
import { useMayWrite } from '../app/may-write.ts';
import { useBoardActions } from './board-context.ts';
import type { Task } from './open-board.ts';
import { TaskDependencies } from './task-dependencies.tsx';
import { TaskSessions } from './task-sessions.tsx';

/** A task: what it is, what it waits for, and who works on it. */
export function TaskCard({ task, known }: { task: Task; known: ReadonlyMap<string, Task> }) {
  const { id, title, description, sessions } = task;
  const { move } = useBoardActions();
  const mayWrite = useMayWrite();
  const heading = useId();
  return (
    <article className="task-card" aria-labelledby={heading} data-task={id}>
      <header>
        <h4 id={heading}>{title || id}</h4>
        {mayWrite && (
          <button type="button" className="button button-plain button-small" onClick={() => move(task)}>
            Move<span className="out-of-sight"> “{title || id}” to another state</span>
          </button>
        )}
      </header>
      {description !== '' && (
        <p className="task-about" title={description}>
          {description}
        </p>
      )}
      <TaskDependencies task={task} known={known} />
      <TaskSessions links={sessions} of={title || id} />
    </article>
  );
}
