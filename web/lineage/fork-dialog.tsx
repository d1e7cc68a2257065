import { useState } from 'react';
import { Dialog } from '../app/dialog.tsx';
import { DialogForm } from '../app/dialog-form.tsx';
import { goTo } from '../app/route.ts';
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
      <DialogForm action="Fork" failure={failure} onSubmit={fork} onCancel={onClose}>
        <label>
          <span className="note">Title</span>
          <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
        </label>
      </DialogForm>
    </Dialog>
  );
}
