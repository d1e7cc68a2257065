import { useEffect } from 'react';
import { RpcError } from '../../src/faces/rpc/client/index.ts';
import { server } from '../connection/server.ts';
import { useWatched } from '../connection/watched.ts';
import type { OpenSession } from './open-session.ts';

const PASSING = ['server-gone', 'disconnected'];

/** What failed because the server was gone is done again, or forgotten, when it is back. */
export function useReconnection(open: OpenSession, at: number | undefined): void {
  const { is } = useWatched(server.link);
  useEffect(() => {
    const { error, session } = open.state.value;
    if (is !== 'open' || !(error instanceof RpcError) || !PASSING.includes(error.code)) return;
    open.state.change({ error: undefined });
    if (session) open.refresh().catch(() => {});
    else open.open(at);
  }, [is, open, at]);
}
