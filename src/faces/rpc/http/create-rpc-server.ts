import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { refused } from '../../../operations/index.ts';
import { createLanes, createOpenAnswers } from '../dispatch/lanes.ts';
import { createService, type ServiceOptions } from '../service.ts';
import { createHttpApp } from './create-app.ts';
import { createGuard, isLoopback, limitConnections } from './guard-request.ts';
import { acceptSockets } from './sockets.ts';
import { closeTokensFile, createAuthenticator, createRevocation, newToken } from './tokens.ts';

export interface RpcServerOptions extends ServiceOptions {
  /** `127.0.0.1` unless given. Another address than the machine's own needs `tokensFile` or `token`. */
  readonly hostname?: string;
  /** Any free one unless given. */
  readonly port?: number;
  /** Made anew for each start unless given. */
  readonly token?: string;
  /** Tokens of several people, with the projects that each reaches. */
  readonly tokensFile?: string;
  /** Names that the server may be called by, besides those of the loopback and its own. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may call it, besides its own. */
  readonly origins?: readonly string[];
  /** Where the built web app is. */
  readonly webRoot?: string;
  readonly maxConnections?: number;
  readonly timeouts?: Partial<Timeouts>;
}

/** In milliseconds. A slower client is cut off. */
export interface Timeouts {
  /** For everything before the body, from the moment of connecting. */
  readonly headers: number;
  /** For the whole request. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** For a client to take something of what it asked for. */
  readonly reading: number;
}

export interface RpcServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Of the person who started it; absent if only those of the file count. */
  readonly token: string | undefined;
  /** Stops listening, stops turns (answers so far are kept) and closes every connection. The store stays open. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 2_000;
const TIMEOUTS: Timeouts = { headers: 10_000, request: 60_000, idle: 30_000, reading: 60_000 };

/** Serves a store over HTTP and WebSockets. */
export async function createRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { hostname = '127.0.0.1', port = 0, tokensFile, webRoot, maxConnections = MAX_CONNECTIONS } = options;
  if (!isLoopback(hostname) && options.token === undefined && tokensFile === undefined)
    throw refused(
      'usage',
      `The server does not listen on ${hostname} without tokens of your own: others on the network could reach it. Give it tokens, or leave it on this machine.`,
      { hostname },
    );
  const token = options.token ?? (tokensFile === undefined ? newToken() : undefined);
  const { authenticate, holds } = createAuthenticator({
    ...(token !== undefined && { token }),
    ...(tokensFile !== undefined && { file: tokensFile }),
  });
  // With a zone it is a name that no request can have.
  const own =
    ANY.has(hostname) || hostname.includes('%') ? [] : [hostname.includes(':') ? `[${hostname}]` : hostname];
  const guard = createGuard({ hosts: [...own, ...(options.hosts ?? [])], origins: options.origins ?? [] });
  const service = createService(options, ['http', 'event-stream', 'websocket']);
  const lanes = createLanes();
  const answers = createOpenAnswers();
  const revocation = createRevocation(holds);
  const exposed = tokensFile === undefined ? undefined : closeTokensFile(tokensFile);
  if (exposed !== undefined) service.onNotice(exposed);
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const { fetch } = createHttpApp({
    service,
    lanes,
    answers,
    guard,
    authenticate,
    revocation,
    webRoot,
    readingMs: timeouts.reading,
  });
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.idle,
      // Checked often enough to close a connection soon after.
      connectionsCheckingInterval: Math.ceil(Math.min(timeouts.headers, timeouts.request) / 4),
    },
  }) as Server;
  limitConnections(server, maxConnections);
  const closeSockets = acceptSockets(server, {
    service,
    lanes,
    answers,
    guard,
    authenticate,
    revocation,
    maxSockets: maxConnections,
  });
  await listen(server, hostname, port).catch(async (error: unknown) => {
    await closeSockets();
    throw error;
  });
  const { port: bound } = server.address() as AddressInfo;

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    const stopped = new Promise((resolve) => server.close(resolve));
    // Calls that wait for a turn are answered with what became of it.
    await service.stop();
    await answers.last();
    await closeSockets();
    try {
      await service[Symbol.asyncDispose]();
    } finally {
      server.closeAllConnections();
      await stopped;
    }
  }
  const rpc: RpcServer = {
    url: `http://${nameOf(hostname)}:${bound}/`,
    port: bound,
    token,
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]: () => rpc.close(),
  };
  return rpc;
}

/** Addresses that mean every one of the machine's: they name no person. */
const ANY = new Set(['0.0.0.0', '::']);

function nameOf(hostname: string): string {
  if (ANY.has(hostname)) return 'localhost';
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

function listen(server: Server, hostname: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
