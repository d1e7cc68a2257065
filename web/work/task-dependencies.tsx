import { Icon } from '../app/icon.tsx';
import type { Task } from './open-board.ts';
import { isClosed, isFinished, sayState } from './workflow.ts';

/** What has to be done before a task: open ones by name, the rest as a number. */
export function TaskDependencies({
  task: { dependsOn, state },
  known,
}: {
  task: Task;
  known: ReadonlyMap<string, Task>;
}) {
  const needed = dependsOn.flatMap((id) => known.get(id) ?? []);
  const open = needed.filter((task) => !isFinished(task.state));
  if (needed.length === 0) return null;
  if (open.length === 0 || isClosed(state))
    return (
      <p className="task-needs note">
        <Icon name="check" />
        <span>After {needed.map(({ id, title }) => title || id).join(', ')}</span>
      </p>
    );
  return (
    <div className="task-waits">
      <p>Waits for</p>
      <ul>
        {open.map(({ id, title, state: at }) => (
          <li key={id}>
            {title || id} <span className="note">{sayState(at)}</span>
          </li>
        ))}
      </ul>
      {needed.length > open.length && (
        <p className="note">
          {needed.length - open.length} of {needed.length} done
        </p>
      )}
    </div>
  );
}
