import { useState } from 'react';
import { Dialog } from '../app/dialog.tsx';
import { DialogForm } from '../app/dialog-form.tsx';
import { notify } from '../app/notices.tsx';
import { server } from '../connection/server.ts';
import { nameFor } from './name-for.ts';
import type { Feature } from './open-board.ts';

export interface PlanDialogProps {
  readonly project: string;
  readonly features: readonly Feature[];
  /** What gets another task; without it, another feature is planned. */
  readonly feature?: Feature | undefined;
  onPlanned(): void;
  onClose(): void;
}

/** Another feature, or another task of one: its name, and the work to do. */
export function PlanDialog({ project, features, feature, onPlanned, onClose }: PlanDialogProps) {
  const [title, setTitle] = useState('');
  const [about, setAbout] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const taken = (feature?.tasks ?? features).map(({ id }) => id);
  const id = nameFor(title, { taken, otherwise: feature ? 'task' : 'feature' });

  async function save(): Promise<void> {
    setBusy(true);
    const [name, text] = [title.trim(), about.trim()];
    try {
      if (feature)
        await server.call('work/task/set', {
          project,
          feature: feature.id,
          task: id,
          title: name,
          ...(text !== '' && { description: text }),
        });
      else
        await server.call('work/feature/set', {
          project,
          feature: id,
          name,
          ...(text !== '' && { spec: text }),
        });
      notify('good', `“${name}” is planned.`);
      onPlanned();
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={feature ? `Another task for “${feature.name || feature.id}”` : 'Another feature'}
      onClose={onClose}
    >
      <DialogForm
        action={feature ? 'Add the task' : 'Add the feature'}
        disabled={busy || title.trim() === ''}
        failure={failure}
        onSubmit={save}
        onCancel={onClose}
      >
        <label>
          <span className="note">Title</span>
          <input
            className="field"
            required
            maxLength={200}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        </label>
        <label>
          <span className="note">{feature ? 'What is to be done' : 'Specification, in markdown'}</span>
          <textarea
            className="field plan-about"
            rows={6}
            maxLength={30_000}
            value={about}
            onChange={({ target }) => setAbout(target.value)}
          />
        </label>
        {title.trim() !== '' && (
          <p className="note">
            Agents know it as <code>{id}</code>.
          </p>
        )}
      </DialogForm>
    </Dialog>
  );
}
