import type { MethodName } from '../methods/index.ts';
import { followList } from './follow-list.ts';
import { followSession } from './follow-session.ts';
import { createPeer, type Peer } from './peer.ts';
import { PROTOCOL_VERSIONS } from './protocol-version.ts';
import type { FollowingUpdates, OnNotification, RpcClient } from './rpc-client.ts';
import { disconnected, RpcError } from './rpc-error.ts';

/** As much of a WebSocket as is used: the browser's and Node's own both fit. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
}

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface SocketClientOptions {
  /** `http:` or `ws:`, as `throughline serve` printed it; `/rpc` is added if there is no path. */
  readonly url: string;
  readonly token?: string;
  /** The platform's own unless given. */
  readonly open?: (url: string, protocols: string[]) => SocketLike;
  /** Tells when the connection comes and goes. */
  readonly onState?: (state: ConnectionState) => void;
  readonly onNotification?: OnNotification;
  /** How long to wait before the first try to connect again, and at most; each wait is twice the last. */
  readonly reconnect?: { readonly firstMs?: number; readonly mostMs?: number } | false;
  /** Nothing heard for so long means that the line is dead. The server says something every 15 seconds. */
  readonly silenceMs?: number;
}

/**
 * A client that stays connected: it connects again when the line breaks, and its watches go on where they were. A call that was
 * under way then fails with `disconnected`; a call before that waits for the connection.
 */
export function createSocketClient(options: SocketClientOptions): RpcClient {
  const { token, open = openSocket, onState = () => {}, silenceMs = 45_000 } = options;
  const { firstMs = 250, mostMs = 10_000 } = options.reconnect || {};
  const protocols = ['throughline', ...(token === undefined ? [] : [`bearer.${token}`])];
  const followings = new Set<FollowingUpdates>();
  let waiters: PromiseWithResolvers<Peer>[] = [];
  let current: Peer | undefined;
  let socket: SocketLike | undefined;
  let failures = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function connect(): void {
    onState('connecting');
    const here = open(addressOf(options.url), protocols);
    socket = here;
    let silence: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const peer = createPeer((text) => here.send(text), {
      onNotification(name, params) {
        for (const following of [...followings]) following.hear(name, params);
        options.onNotification?.(name, params);
      },
    });
    const end = () => {
      if (over) return;
      over = true;
      clearTimeout(silence);
      current = undefined;
      for (const following of followings) following.lost();
      peer.end();
      if (closed || options.reconnect === false) return shut(disconnected());
      onState('waiting');
      pause = setTimeout(connect, Math.min(mostMs, firstMs * 2 ** failures++));
    };
    const hear = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        here.close();
        end();
      }, silenceMs);
    };
    here.addEventListener('open', () => {
      failures = 0;
      current = peer;
      hear();
      onState('open');
      for (const { resolve } of waiters) resolve(peer);
      waiters = [];
      for (const following of followings) begin(following, peer);
    });
    here.addEventListener('message', ({ data }) => {
      if (over) return;
      hear();
      peer.receive(String(data));
    });
    here.addEventListener('close', end);
    here.addEventListener('error', end);
  }

  function shut(error: RpcError): void {
    closed = true;
    for (const { reject } of waiters) reject(error);
    waiters = [];
    onState('closed');
  }

  function whenOpen(): Promise<Peer> {
    if (current) return Promise.resolve(current);
    if (closed) return Promise.reject(disconnected());
    const waiter = Promise.withResolvers<Peer>();
    waiters.push(waiter);
    return waiter.promise;
  }

  function begin(following: FollowingUpdates, peer: Peer): void {
    const began = (result: unknown) => following.began(result);
    peer.call(following.method, following.params(), began).catch((error: unknown) => {
      if (!(error instanceof RpcError) || error.code === 'disconnected') return;
      followings.delete(following);
      following.refused(error);
    });
  }

  function keep<Kept extends FollowingUpdates>(
    make: (onClose: (watchId: string | undefined) => void) => Kept,
  ): Kept {
    const following = make((watchId) => {
      followings.delete(following);
      if (watchId !== undefined) current?.call('session/unwatch', { watchId }).catch(() => {});
    });
    followings.add(following);
    // One that is added before there is a connection begins with it.
    if (current) begin(following, current);
    return following;
  }

  connect();

  async function call(method: MethodName, params: unknown = {}): Promise<unknown> {
    return (await whenOpen()).call(method, params);
  }

  return {
    initialize: async (client) =>
      (await call('initialize', { client, protocolVersions: PROTOCOL_VERSIONS })) as never,
    call: async (method: MethodName, ...[params]: unknown[]) => (await call(method, params)) as never,
    watch: (sessionId, watchOptions) =>
      keep((onClose) => followSession(sessionId, watchOptions, { onClose })),
    watchSessions: (watchOptions) => keep((onClose) => followList(watchOptions, { onClose })),
    close() {
      if (closed) return;
      clearTimeout(pause);
      shut(disconnected('The client was closed.'));
      socket?.close(1000);
    },
  };
}

function addressOf(url: string): string {
  const address = new URL(url);
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  if (address.pathname === '/') address.pathname = '/rpc';
  return address.href;
}

function openSocket(url: string, protocols: string[]): SocketLike {
  return new WebSocket(url, protocols) as unknown as SocketLike;
}
