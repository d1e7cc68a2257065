import { useEffect } from 'react';
import { useMayWrite } from './may-write.ts';

export function Welcome({ onNew }: { onNew(): void }) {
  const mayWrite = useMayWrite();
  useEffect(() => {
    document.title = 'Throughline';
  }, []);
  return (
    <main className="welcome" id="main">
      <img src="./icon.svg" alt="" width="48" height="48" />
      <h1>Pick up where you left off</h1>
      <p>
        Choose a session at the left{mayWrite ? ', ' : ' or '}search everything that was ever said
        {mayWrite && ', or start a new one'}. Every message is written down before anything else happens.
      </p>
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
