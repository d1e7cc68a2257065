import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
import { useBoardActions } from './board-context.ts';
import type { SessionLink, WorkSession } from './open-board.ts';
import { RequestBar } from './request-bar.tsx';
import { sayState } from './workflow.ts';

/** A session on a card: its name, who works in it, how full its next request is, and how its work stands. */
export function WorkSessionLine({ link }: { link: SessionLink }) {
  const { session, agent, state, ended } = link;
  const { sessions, detail, showDetail } = useBoardActions();
  const stands = sessions.get(session);
  return (
    <div className="session-line" data-ended={ended}>
      <a className="session-line-name" href={addressOf({ session })} title="Open the session">
        {session}
      </a>
      <p className="note session-line-about">
        <span>{agent}</span>
        {state !== undefined && <span>{sayState(state)}</span>}
        <span>{ended ? 'ended' : 'active'}</span>
        {stands && <span>{sayCount(stands.messages, 'message')}</span>}
      </p>
      {stands ? (
        <>
          <RequestBar session={stands} />
          <button
            type="button"
            className="stands"
            aria-expanded={detail === session}
            onClick={() => showDetail(detail === session ? undefined : session)}
          >
            <span className="out-of-sight">How {session} stands: </span>
            <Standing session={stands} />
          </button>
        </>
      ) : (
        <p className="note">Reading how it stands…</p>
      )}
    </div>
  );
}

function Standing({ session: { checkpoint, loop } }: { session: WorkSession }) {
  const { version, summary } = checkpoint;
  const counts = [
    [summary.decisions.length, 'decided'],
    [summary.pendingItems.length, 'open'],
  ] as const;
  const blockers = summary.blockers.length;
  return (
    <>
      <span className="badge">{version === 0 ? 'No checkpoint' : `Checkpoint ${version}`}</span>
      {counts.map(([amount, what]) => amount > 0 && <span key={what}>{`${amount} ${what}`}</span>)}
      {blockers > 0 && <span className="badge badge-bad">{sayCount(blockers, 'blocker')}</span>}
      {loop && (
        <span className={loop.failed.length > 0 ? 'badge badge-bad' : 'badge badge-good'}>
          {`Try ${loop.iteration}: ${loop.failed.length > 0 ? `${loop.failed.length} failing` : 'all pass'}`}
        </span>
      )}
    </>
  );
}
