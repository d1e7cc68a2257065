import { useState } from 'react';
import { Dialog } from '../app/dialog.tsx';
import { goTo } from '../app/route.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { listedSessions } from '../sessions/listed-sessions.ts';

export interface Forking {
  readonly session: string;
  readonly title: string;
  /** The last entry that both share; the newest one without it. */
  readonly at: number | undefined;
}

export function ForkDialog({ from: { session, title, at }, onClose }: { from: Forking; onClose(): void }) {
  const [name, setName] = useState(`${title}, another way`);
  const [failure, setFailure] = useState<unknown>();

  async function fork(): Promise<void> {
    try {
      const where = at === undefined ? {} : { at };
      const made = await server.call('chat/session/fork', {
        sessionId: session,
        title: name.trim(),
        ...where,
      });
      listedSessions.refresh();
      onClose();
      goTo({ session: made.session.id });
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <Dialog title="Fork" onClose={onClose}>
      <p className="dialog-text">
        A new session that shares everything up to {at === undefined ? 'the newest entry' : `entry ${at}`}. “
        {title}” stays as it is.
      </p>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          fork();
        }}
      >
        <label>
          <span className="note">Title</span>
          <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {failure !== undefined && (
          <p className="problem" role="alert">
            {sayFailure(failure)}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-primary">
            Fork
          </button>
        </div>
      </form>
    </Dialog>
  );
}
