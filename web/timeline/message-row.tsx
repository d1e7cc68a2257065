import { memo } from 'react';
import { sayTokens } from '../../src/faces/rpc/client/index.ts';
import { CopyButton } from '../app/copy-button.tsx';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayModel } from '../app/say-model.ts';
import { sayClock } from '../app/say-time.ts';
import { MessagePart } from './message-part.tsx';
import { isSaid, plainText } from './read-parts.ts';
import type { ShownMessage } from './shown.ts';
import { useTimelineActions } from './timeline-actions.ts';
import { useTurnMarks } from './turn-marks.ts';
import { WholeButton } from './whole-button.tsx';

export const SPEAKERS = { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const;

export const MessageRow = memo(function MessageRow({ message }: { message: ShownMessage }) {
  const { id, role, at, parts, model, status, pinned, excluded, steers, tokens } = message;
  const { saidBelow, reasons } = useTurnMarks();
  const reason = reasons.get(id);
  const shown = parts.filter(isSaid);
  return (
    <>
      <header className="row-head">
        <h3>{SPEAKERS[role]}</h3>
        <time className="note" dateTime={new Date(at).toISOString()}>
          {sayClock(at)}
        </time>
        {model && <span className="note row-model">{sayModel(model)}</span>}
        {pinned && (
          <span className="badge badge-good">
            <Icon name="pin" /> Pinned
          </span>
        )}
        {steers && <span className="badge">Added to the answer</span>}
        {excluded && <span className="badge">Left out of the context</span>}
        <RowActions message={message} />
      </header>
      <div className={role === 'user' ? 'row-said row-asked' : 'row-said'}>
        {shown.map((part, index) => (
          <MessagePart key={index} part={part} />
        ))}
        <WholeButton value={shown} message={message.id} />
        {status === 'interrupted' && id !== saidBelow && (
          <p className="row-interrupted">
            <Icon name="warning" />{' '}
            {shown.length > 0 ? 'This answer is incomplete.' : 'Stopped before anything was written.'}
          </p>
        )}
      </div>
      {reason !== undefined && (
        <p className="row-interrupted">
          <Icon name="warning" /> {reason}
        </p>
      )}
      <span className="out-of-sight">{sayTokens(tokens)} tokens</span>
    </>
  );
});

function RowActions({ message }: { message: ShownMessage }) {
  const { forkAt, setPinned } = useTimelineActions();
  const mayWrite = useMayWrite();
  const { pinned, seq } = message;
  return (
    <div className="row-actions">
      <CopyButton text={plainText(message)} what="message" />
      {mayWrite && (
        <>
          <button
            type="button"
            className="button button-plain button-small"
            title={pinned ? 'Unpin' : 'Pin: stays in the context word for word'}
            aria-pressed={pinned}
            onClick={() => setPinned(message, !pinned)}
          >
            <Icon name="pin" />
            <span className="out-of-sight">{pinned ? 'Unpin' : 'Pin'} message</span>
          </button>
          <button
            type="button"
            className="button button-plain button-small"
            title={`Fork after entry ${seq}`}
            onClick={() => forkAt(message)}
          >
            <Icon name="branch" />
            <span className="out-of-sight">Fork from here, entry {seq}</span>
          </button>
        </>
      )}
    </div>
  );
}
