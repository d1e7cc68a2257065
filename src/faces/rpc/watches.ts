import { randomUUID } from 'node:crypto';
import { isThroughlineError } from '../../errors.ts';
import { type Access, refused, toEntryRecord } from '../../operations/index.ts';
import type { Seq, SessionId, SessionInfo } from '../../record/index.ts';
import { watchSession } from '../../session/index.ts';
import type { RpcConnection } from './connection.ts';
import { followTurns } from './follow-turns.ts';
import type { Service } from './service.ts';
import { watchList } from './watch-list.ts';

/** What one connection looks at. A client that is too slow is waited for: it gets the rest from the log when it can. */
export interface Watches {
  start(info: SessionInfo, options: WatchOptions): { watchId: string; after: Seq };
  /** Looks at the list: resolves when every write from now on will be reported. */
  startList(access: Access): Promise<{ watchId: string }>;
  end(watchId: string): boolean;
  /** Sends the events of one turn, unless the session is watched anyway. */
  streamTurn(session: SessionId, turn: string): () => void;
  /** Something is still to come. */
  readonly active: boolean;
}

/** The watches of a line; refused where nothing can be sent behind an answer. */
export function watchesOf(line: { readonly watches: Watches } | undefined): Watches {
  if (line) return line.watches;
  throw refused(
    'usage',
    'Nothing can be sent behind this answer. Watch over a WebSocket, over stdio, or with "Accept: text/event-stream".',
  );
}

interface WatchOptions {
  readonly after?: Seq | undefined;
  readonly live: boolean;
  readonly notes: boolean;
}

const MOST = 200;

export function createWatches(
  service: Service,
  connection: RpcConnection,
  { onIdle = () => {} }: { onIdle?: () => void } = {},
): Watches {
  const { store, runs, onError } = service;
  const open = new Map<string, AbortController>();
  const turns = followTurns(runs, connection, { onIdle: settle });

  function settle(): void {
    if (open.size === 0 && !turns.active) onIdle();
  }

  async function follow(
    { id, head }: SessionInfo,
    { watchId, after, notes, signal }: { watchId: string; after: Seq; notes: boolean; signal: AbortSignal },
  ): Promise<void> {
    const about = { watchId, sessionId: id };
    let behind = true;
    const reached = (cursor: Seq) => {
      if (!behind || cursor < head) return;
      behind = false;
      connection.notify('session/caught-up', { ...about, cursor });
    };
    reached(after);
    for await (const entry of watchSession(store, id, { after, signal })) {
      if (connection.full) await connection.ready();
      if (signal.aborted) return;
      if (notes || entry.body.kind !== 'run')
        connection.notify('session/entry', { ...about, cursor: entry.seq, entry: toEntryRecord(entry) });
      reached(entry.seq);
    }
  }

  function enter(): { watchId: string; signal: AbortSignal } {
    if (open.size >= MOST)
      throw refused('server-busy', `One connection watches ${MOST} sessions at most.`, { limit: MOST });
    const watchId = randomUUID();
    const leaving = new AbortController();
    open.set(watchId, leaving);
    return { watchId, signal: AbortSignal.any([connection.signal, leaving.signal]) };
  }

  function leave(watchId: string): void {
    open.delete(watchId);
    settle();
  }

  return {
    get active() {
      return open.size > 0 || turns.active;
    },
    start(info, { after = info.head, live, notes }) {
      const { watchId, signal } = enter();
      const stop = live ? turns.watch(info.id) : () => {};
      // The answer comes first: the client has to know the watch before its first event.
      setImmediate(() => {
        follow(info, { watchId, after, notes, signal })
          .catch((error: unknown) => {
            if (signal.aborted) return;
            const known = isThroughlineError(error) ? error : undefined;
            if (!known) onError(error);
            const { code = 'unexpected', message = 'The session cannot be read any more.' } = known ?? {};
            connection.notify('session/watch-end', { watchId, sessionId: info.id, code, message });
          })
          .finally(() => {
            stop();
            leave(watchId);
          });
        if (live) turns.catchUp(info.id);
      });
      return { watchId, after };
    },
    async startList(access) {
      const { watchId, signal } = enter();
      signal.addEventListener('abort', () => leave(watchId), { once: true });
      await watchList(service, { connection, access, watchId, signal });
      return { watchId };
    },
    end(watchId) {
      const leaving = open.get(watchId);
      leaving?.abort();
      return leaving !== undefined;
    },
    streamTurn: (session, turn) => turns.follow(session, turn),
  };
}
