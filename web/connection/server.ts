import { Connection } from './connection.ts';
import { takeToken } from './token.ts';

/** The server that this page came from. */
export const server = new Connection(takeToken());

// A new launch has a new token: its address, opened in this very tab, changes only the part behind the #.
addEventListener('hashchange', () => {
  if (/^#\/?token=/.test(location.hash)) {
    takeToken();
    location.reload();
  }
});
