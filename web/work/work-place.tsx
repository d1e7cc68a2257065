import { useCallback, useMemo, useState } from 'react';
import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { BoardContext } from './board-context.ts';
import { EmptyBoard } from './empty-board.tsx';
import { FeatureSection } from './feature-section.tsx';
import { MoveDialog } from './move-dialog.tsx';
import type { Feature, Task } from './open-board.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { SessionDetail } from './session-detail.tsx';
import { useBoard } from './use-board.ts';
import { useProject } from './use-project.ts';
import { isClosed, isFinished } from './workflow.ts';

/** The board of a project: its features, their tasks by state, and how the sessions that work on them stand. */
export function WorkPlace({ onMenu }: { onMenu(): void }) {
  const mayWrite = useMayWrite();
  const { projects, loaded, project, choose } = useProject();
  const { board, state } = useBoard(project?.id);
  const [detail, setDetail] = useState<string>();
  const [moving, setMoving] = useState<Task>();
  const [planning, setPlanning] = useState<{ feature?: Feature }>();
  const { features, sessions, error, broken } = state;
  const shown = detail === undefined ? undefined : sessions.get(detail);
  const busy = useMemo(() => busyStates(features ?? []), [features]);
  const close = useCallback(() => setDetail(undefined), []);

  return (
    <BoardContext
      value={{
        sessions,
        busy,
        detail,
        showDetail: setDetail,
        move: setMoving,
        addTask: (feature) => setPlanning({ feature }),
      }}
    >
      <main className="session" id="main">
        <header className="session-head">
          <button type="button" className="button button-plain button-icon only-narrow" onClick={onMenu}>
            <Icon name="menu" />
            <span className="out-of-sight">Sessions</span>
          </button>
          <div className="session-name">
            <h1>Work</h1>
            {features && features.length > 0 && <p className="note">{sayBoard(features)}</p>}
          </div>
          {mayWrite && features && features.length > 0 && (
            <button type="button" className="button button-small board-add" onClick={() => setPlanning({})}>
              <Icon name="plus" />
              Feature
            </button>
          )}
          {projects.length > 0 && (
            <label className="board-project">
              <span className="note" aria-hidden="true">
                Project
              </span>
              <select
                className="select"
                aria-label="Project of the board"
                value={project?.id ?? ''}
                onChange={({ target }) => {
                  close();
                  choose(target.value);
                }}
              >
                {projects.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </header>
        <div className="board scroller">
          {error !== undefined && (
            <div className="problem" role="alert">
              <Icon name="warning" />
              <p>{sayFailure(error)}</p>
              <button type="button" className="link-button" onClick={() => board?.refresh()}>
                Try again
              </button>
            </div>
          )}
          {features?.map((feature) => (
            <FeatureSection key={feature.id} feature={feature} problem={broken.get(feature.id)} />
          ))}
          {!features && error === undefined && (project !== undefined || !loaded) && (
            <p className="board-note">Loading the board…</p>
          )}
          {(features?.length === 0 || (loaded && project === undefined)) && (
            <EmptyBoard
              project={project?.name}
              onAdd={mayWrite && features ? () => setPlanning({}) : undefined}
            />
          )}
        </div>
      </main>
      {shown && <SessionDetail key={shown.session} session={shown} onClose={close} />}
      {moving && board && (
        <MoveDialog
          project={board.project}
          task={moving}
          onMoved={() => board.look()}
          onClose={() => setMoving(undefined)}
        />
      )}
      {planning && board && (
        <PlanDialog
          project={board.project}
          features={features ?? []}
          feature={planning.feature}
          onPlanned={() => board.look()}
          onClose={() => setPlanning(undefined)}
        />
      )}
    </BoardContext>
  );
}

function busyStates(features: readonly Feature[]): ReadonlySet<string> {
  const open = features.filter(({ state }) => !isClosed(state));
  return new Set(open.flatMap(({ tasks }) => tasks.map(({ state }) => state)));
}

function sayBoard(features: readonly Feature[]): string {
  const tasks = features.flatMap((feature) => feature.tasks);
  const done = tasks.filter(({ state }) => isFinished(state)).length;
  return `${sayCount(features.length, 'feature')}, ${sayCount(tasks.length, 'task')}, ${done} done`;
}
