import { useState } from 'react';
import { type SessionRecord, sayCount, sayShare, sayTitle } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { MeterBar } from '../context/context-meter.tsx';
import { nameOf } from '../sessions/session-list.tsx';
import { LabelsDialog } from './labels-dialog.tsx';
import type { Meter } from './open-state.ts';

export interface SessionHeaderProps {
  readonly session: SessionRecord | undefined;
  readonly meter: Meter | undefined;
  readonly panelOpen: boolean;
  onMenu(): void;
  onPanel(): void;
  onCompact(): void;
  onLabelled(session: SessionRecord): void;
}

export function SessionHeader({
  session,
  meter,
  panelOpen,
  onMenu,
  onPanel,
  onCompact,
  onLabelled,
}: SessionHeaderProps) {
  const [labelling, setLabelling] = useState(false);
  const mayWrite = useMayWrite();
  return (
    <header className="session-head">
      <button type="button" className="button button-plain button-icon only-narrow" onClick={onMenu}>
        <Icon name="menu" />
        <span className="out-of-sight">Sessions</span>
      </button>
      <div className="session-name">
        <h1 title={session?.title}>{session ? sayTitle(session.title) : ' '}</h1>
        {session && (
          <p className="note">
            {sayCount(session.messages, 'message')}
            {session.project && ` · ${nameOf(session.project)}`}
            {session.agent && ` · ${session.agent}`}
            {session.place !== 'active' && ` · ${session.place}`}
          </p>
        )}
      </div>
      <div className="session-labels only-wide">
        {session?.tags.slice(0, 3).map((tag) => (
          <span key={tag} className="chip">
            <span>{tag}</span>
          </span>
        ))}
      </div>
      {mayWrite && (
        <>
          <button
            type="button"
            className="button button-plain button-icon"
            title="Title and tags"
            disabled={!session}
            onClick={() => setLabelling(true)}
          >
            <Icon name="tag" />
            <span className="out-of-sight">Title and tags</span>
          </button>
          <button
            type="button"
            className="button button-plain only-wide"
            disabled={!session}
            onClick={onCompact}
          >
            <Icon name="compact" />
            Compact
          </button>
        </>
      )}
      <button
        type="button"
        className="button button-plain meter-button"
        aria-expanded={panelOpen}
        onClick={onPanel}
      >
        {meter && <MeterBar meter={meter} small />}
        <span className="meter-share">{meter ? sayShare(meter.tokens, meter.window) : '…'}</span>
        <span className="out-of-sight">
          of the context used. {panelOpen ? 'Close' : 'Open'} the column about it
        </span>
      </button>
      {labelling && session && (
        <LabelsDialog session={session} onDone={onLabelled} onClose={() => setLabelling(false)} />
      )}
    </header>
  );
}
