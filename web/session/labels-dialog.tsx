import { useState } from 'react';
import type { SessionRecord } from '../../src/faces/rpc/client/index.ts';
import { Dialog } from '../app/dialog.tsx';
import { DialogForm } from '../app/dialog-form.tsx';
import { server } from '../connection/server.ts';
import { listedSessions } from '../sessions/listed-sessions.ts';

/** What a session is called, its tags, and whether it is put aside. */
export function LabelsDialog({
  session,
  onDone,
  onClose,
}: {
  session: SessionRecord;
  onDone(session: SessionRecord): void;
  onClose(): void;
}) {
  const [title, setTitle] = useState(session.title);
  const [tags, setTags] = useState(session.tags.join(', '));
  const [failure, setFailure] = useState<unknown>();

  async function update(fields: {
    title?: string;
    addTags?: string[];
    removeTags?: string[];
    place?: 'active' | 'archived';
  }): Promise<void> {
    try {
      const { session: changed } = await server.call('chat/session/update', {
        sessionId: session.id,
        ...fields,
      });
      onDone(changed);
      listedSessions.refresh();
      onClose();
    } catch (error) {
      setFailure(error);
    }
  }

  function save(): void {
    const wanted = tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    update({
      ...(title !== session.title && { title: title.trim() }),
      addTags: wanted.filter((tag) => !session.tags.includes(tag)),
      removeTags: session.tags.filter((tag) => !wanted.includes(tag)),
    });
  }

  const archived = session.place === 'archived';
  return (
    <Dialog title="Title and tags" onClose={onClose}>
      <DialogForm
        action="Save"
        aside={
          <button
            type="button"
            className="button button-plain dialog-aside"
            onClick={() => update({ place: archived ? 'active' : 'archived' })}
          >
            {archived ? 'Bring back' : 'Archive'}
          </button>
        }
        failure={failure}
        onSubmit={save}
        onCancel={onClose}
      >
        <label>
          <span className="note">Title</span>
          <input className="field" value={title} onChange={({ target }) => setTitle(target.value)} />
        </label>
        <label>
          <span className="note">Tags, with commas between them</span>
          <input className="field" value={tags} onChange={({ target }) => setTags(target.value)} />
        </label>
        <p className="note">{session.id}</p>
      </DialogForm>
    </Dialog>
  );
}
