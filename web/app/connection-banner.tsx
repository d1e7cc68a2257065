import { useEffect, useState } from 'react';
import type { Link } from '../connection/connection.ts';
import { Icon } from './icon.tsx';

/** Says that the server is gone, once that is longer than a blink, and that the page reconnects. */
export function ConnectionBanner({ link }: { link: Link }) {
  const [late, setLate] = useState(false);
  const away = link.is === 'waiting' || link.is === 'connecting';
  useEffect(() => {
    if (!away) return setLate(false);
    const timer = setTimeout(setLate, 500, true);
    return () => clearTimeout(timer);
  }, [away]);
  return (
    <div role="status" className={late ? 'banner' : 'out-of-sight'}>
      {late && (
        <>
          <Icon name="warning" />
          {link.is === 'waiting'
            ? 'The server is gone. Reconnecting; what you see stays readable.'
            : 'Connecting to the server…'}
        </>
      )}
    </div>
  );
}

const REASONS = {
  'no-token': 'This page needs the address with its token.',
  token: 'The server did not accept this page’s token. It was probably started anew.',
  place: 'The server does not answer pages from this address.',
} as const;

/** Instead of everything else: nothing can be shown without the server's consent. */
export function Refused({ why }: { why: keyof typeof REASONS }) {
  return (
    <main className="refused">
      <img src="./icon.svg" alt="" width="40" height="40" />
      <h1>Not connected</h1>
      <p>{REASONS[why]}</p>
      <p className="note">
        Open the address that <code>throughline serve</code> printed in the terminal. It ends in{' '}
        <code>#token=…</code> and is made anew with every start.
      </p>
    </main>
  );
}
