import { useEffect, useRef } from 'react';
import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { addressOf } from '../app/route.ts';
import { sayAge } from '../app/say-time.ts';
import { CheckpointState } from './checkpoint-state.tsx';
import { LoopState } from './loop-state.tsx';
import type { WorkSession } from './open-board.ts';
import { RequestTable } from './request-table.tsx';
import { sayState } from './workflow.ts';

/** The column at the right: how the work of one session stands. */
export function SessionDetail({ session, onClose }: { session: WorkSession; onClose(): void }) {
  const { session: id, agent, state, messages, updatedAt, checkpoint, loop, shows } = session;
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus is here while it is open, and at the card afterwards.
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <aside
      className="inspector"
      aria-label={`How ${id} stands`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <header className="tabs detail-head">
        <h2 ref={heading} tabIndex={-1}>
          {id}
        </h2>
        <button type="button" className="button button-plain button-icon" onClick={onClose}>
          <Icon name="close" />
          <span className="out-of-sight">Close this column</span>
        </button>
      </header>
      <div className="panel scroller">
        <div className="panel-body detail">
          <p className="detail-about">
            <span className="note">
              {[agent, state && sayState(state), sayCount(messages, 'message'), sayAge(updatedAt)]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <a className="button button-small" href={addressOf({ session: id })}>
              Open the session
            </a>
          </p>
          {loop && <LoopState loop={loop} />}
          <CheckpointState checkpoint={checkpoint} />
          <RequestTable session={session} />
          {shows.length > 0 && (
            <p className="note">
              Is shown the checkpoint of{' '}
              {shows.map((other, index) => (
                <span key={other}>
                  {index > 0 && ', '}
                  <a href={addressOf({ session: other })}>{other}</a>
                </span>
              ))}
              .
            </p>
          )}
        </div>
      </div>
    </aside>
  );
}
