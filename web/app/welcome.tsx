import { useEffect } from 'react';
import { useWatched } from '../connection/watched.ts';
import { isNarrowed, listedSessions } from '../sessions/listed-sessions.ts';
import { useMayWrite } from './may-write.ts';

export function Welcome({ onNew }: { onNew(): void }) {
  const mayWrite = useMayWrite();
  const { filter, sessions, loaded, error } = useWatched(listedSessions.state);
  const isEmpty = loaded && error === undefined && sessions.length === 0 && !isNarrowed(filter);
  useEffect(() => {
    document.title = 'Throughline';
  }, []);
  return (
    <main className="welcome" id="main">
      <img src="./icon.svg" alt="" width="48" height="48" />
      <h1>{isEmpty ? 'Nothing was said here yet' : 'Pick up where you left off'}</h1>
      <p>{isEmpty ? '' : sayChoices(mayWrite)} Every message is written down before anything else happens.</p>
      {mayWrite && (
        <button type="button" className="button button-primary" onClick={onNew}>
          New session
        </button>
      )}
      <p className="note">
        Press <kbd>?</kbd> for the keyboard.
      </p>
    </main>
  );
}

function sayChoices(mayWrite: boolean): string {
  return mayWrite
    ? 'Choose a session at the left, search everything that was ever said, or start a new one.'
    : 'Choose a session at the left or search everything that was ever said.';
}
