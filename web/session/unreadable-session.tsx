import { useEffect, useState } from 'react';
import { type ResultOf, sayTitle } from '../../src/faces/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
import { sayDate } from '../app/say-time.ts';
import { isFailure, sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';

type Candidates = ResultOf<'session/find'>['candidates'];

/**
 * A session that could not be opened, or that is gone since. If no session has the id of the address, those that it may mean
 * are offered as links: the page never goes to another session unasked, because the next message would be written there.
 */
export function UnreadableSession({ id, error, onMenu }: { id: string; error: unknown; onMenu(): void }) {
  const candidates = useCandidates(id, isFailure(error, 'session-not-found'));
  return (
    <main className="welcome" id="main">
      <h1>This session cannot be shown</h1>
      <p role="alert">{sayFailure(error)}</p>
      {candidates.length > 0 && (
        <nav aria-label="Sessions that may be meant">
          <p>Sessions that may be meant:</p>
          <ul>
            {candidates.map((session) => (
              <li key={session.id}>
                <a href={addressOf({ session: session.id })}>{sayTitle(session.title, session.id)}</a>{' '}
                <span className="note">
                  {session.id}, {sayDate(session.updatedAt)}
                </span>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <button type="button" className="button only-narrow" onClick={onMenu}>
        All sessions
      </button>
    </main>
  );
}

function useCandidates(text: string, wanted: boolean): Candidates {
  const [candidates, setCandidates] = useState<Candidates>([]);
  useEffect(() => {
    setCandidates([]);
    if (!wanted) return;
    let left = false;
    server.call('session/find', { text }).then(
      (found) => !left && setCandidates(found.candidates),
      () => {},
    );
    return () => {
      left = true;
    };
  }, [text, wanted]);
  return candidates;
}
