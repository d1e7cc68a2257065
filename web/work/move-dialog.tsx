import { useState } from 'react';
import { Dialog } from '../app/dialog.tsx';
import { Icon } from '../app/icon.tsx';
import { notify } from '../app/notices.tsx';
import { isFailure, sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import type { Task } from './open-board.ts';
import { isForward, otherStates, sayState } from './workflow.ts';

export interface MoveDialogProps {
  readonly project: string;
  readonly task: Task;
  onMoved(): void;
  onClose(): void;
}

/** Where a task may go from here. What the server refuses is said in its words, with the way to do it nevertheless. */
export function MoveDialog({ project, task, onMoved, onClose }: MoveDialogProps) {
  const { id, feature, title, state, next } = task;
  const others = otherStates(task);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ to: string; error: unknown }>();

  async function move(to: string, force = false): Promise<void> {
    setBusy(true);
    const why = reason.trim();
    try {
      const asked = { project, feature, task: id, to, force, ...(why !== '' && { reason: why }) };
      await server.call('work/task/move', asked);
      notify('good', `“${title || id}” is in “${sayState(to)}” now.`);
      onMoved();
      onClose();
    } catch (error) {
      setRefused({ to, error });
      setBusy(false);
    }
  }

  return (
    <Dialog title={`Move “${title || id}”`} onClose={onClose}>
      <p className="dialog-text">It is in “{sayState(state)}”. Where does it go?</p>
      <ul className="move-choices" aria-label="States">
        {next.map((to, index) => (
          <li key={to}>
            <button
              type="button"
              className={index === 0 && isForward(to) ? 'button button-primary' : 'button'}
              disabled={busy}
              onClick={() => move(to)}
            >
              {sayState(to)}
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <details className="fold">
          <summary>
            <Icon name="chevron" />
            Somewhere else
          </summary>
          <ul className="move-choices" aria-label="Other states">
            {others.map((to) => (
              <li key={to}>
                <button type="button" className="button" disabled={busy} onClick={() => move(to)}>
                  {sayState(to)}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <label className="move-reason">
        <span className="note">Why, if you like: it is kept with the move</span>
        <input
          className="field"
          value={reason}
          maxLength={2000}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      {refused && (
        <div className="problem" role="alert">
          <p>{sayFailure(refused.error)}</p>
          {isFailure(refused.error, 'transition-refused') && (
            <button
              type="button"
              className="button button-small"
              disabled={busy}
              onClick={() => move(refused.to, true)}
            >
              Move it anyway
            </button>
          )}
        </div>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
