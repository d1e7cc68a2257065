import { useId, useState } from 'react';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { useBoardActions } from './board-context.ts';
import type { Feature } from './open-board.ts';
import { StateBadge } from './state-badge.tsx';
import { TaskColumns } from './task-columns.tsx';
import { TaskSessions } from './task-sessions.tsx';
import { isClosed, isFinished } from './workflow.ts';

/** A feature: what it is, what it has to do, and its tasks. One that is over begins folded. */
export function FeatureSection({ feature, problem }: { feature: Feature; problem: unknown }) {
  const { id, name, state, branch, tasks, sessions } = feature;
  const [open, setOpen] = useState(!isClosed(state));
  const { addTask } = useBoardActions();
  const mayWrite = useMayWrite();
  const heading = useId();
  const body = useId();
  const done = tasks.filter((task) => isFinished(task.state)).length;
  return (
    <section className="feature" aria-labelledby={heading}>
      <header className="feature-head">
        <h2 id={heading}>
          <button
            type="button"
            className="feature-fold"
            aria-expanded={open}
            aria-controls={body}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
            {name || id}
          </button>
        </h2>
        <StateBadge state={state} />
        {branch !== null && (
          <span className="feature-branch note">
            <Icon name="branch" />
            <span className="out-of-sight">Branch </span>
            <code>{branch}</code>
          </span>
        )}
        {tasks.length > 0 && (
          <span className="feature-progress note">
            {done} of {tasks.length} done
          </span>
        )}
        {mayWrite && open && (
          <button
            type="button"
            className="button button-plain button-small feature-add"
            onClick={() => addTask(feature)}
          >
            <Icon name="plus" />
            Task<span className="out-of-sight"> for “{name || id}”</span>
          </button>
        )}
      </header>
      {open && (
        <div id={body} className="feature-body">
          <Spec feature={feature} />
          {problem !== undefined && (
            <p className="problem" role="alert">
              How the sessions stand could not be read: {sayFailure(problem)}
            </p>
          )}
          {sessions.length > 0 && (
            <div className="feature-sessions">
              <TaskSessions links={sessions} of={name || id} />
            </div>
          )}
          {tasks.length > 0 ? (
            <TaskColumns tasks={tasks} of={name || id} />
          ) : (
            <p className="board-note">No tasks yet.</p>
          )}
        </div>
      )}
    </section>
  );
}

function Spec({ feature: { spec, specFile } }: { feature: Feature }) {
  if (spec === null)
    return specFile === null ? null : (
      <p className="note">
        Specified in <code>{specFile}</code>
      </p>
    );
  return (
    <details className="fold">
      <summary>
        <Icon name="chevron" />
        Specification
      </summary>
      <div className="fold-prose feature-spec">
        <Markdown text={spec} />
      </div>
    </details>
  );
}
