import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isThroughlineError } from '../../../errors.ts';
import type { Access } from '../../../operations/index.ts';
import { createCall } from '../call.ts';
import { createConnection, type RpcConnection } from '../connection.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { Lanes, OpenAnswers } from '../dispatch/lanes.ts';
import { toWireError } from '../error-codes.ts';
import type { Service } from '../service.ts';
import { createWatches } from '../watches.ts';
import { type Guard, readBearerToken, refuseTwoHosts } from './guard-request.ts';
import type { Authenticator, Revocation } from './tokens.ts';

interface SocketOptions {
  readonly service: Service;
  readonly lanes: Lanes;
  readonly answers: OpenAnswers;
  readonly guard: Guard;
  readonly authenticate: Authenticator['authenticate'];
  readonly revocation: Revocation;
  readonly maxSockets: number;
}

/** So many requests of one socket at once; then it is not read until some are answered. */
const AT_ONCE = 64;
/** A socket that neither answers nor takes anything for so many heartbeats is dead. */
const MISSED = 4;

interface OpenSocket {
  readonly socket: WebSocket;
  readonly connection: RpcConnection;
  missed: number;
  sent: number;
}

/** JSON-RPC over WebSockets at /rpc, each text one request or batch. Returns the way to close them all. */
export function acceptSockets(server: Server, options: SocketOptions): () => Promise<void> {
  const { service, lanes, answers, guard, authenticate, revocation, maxSockets } = options;
  const open = new Set<OpenSocket>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: service.maxBodyBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('throughline') ? 'throughline' : false),
  });

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const { headers, rawHeaders, url = '' } = request;
    try {
      refuseTwoHosts(rawHeaders);
    } catch (error) {
      return refuse(stream, 400, error);
    }
    let access: Access;
    try {
      guard({ host: headers.host, origin: headers.origin, fetchSite: undefined, isVisit: false });
      if (url.split('?')[0] !== '/rpc') return refuse(stream, 404);
      if (open.size >= maxSockets) return refuse(stream, 503);
      const protocols = headers['sec-websocket-protocol'];
      access = authenticate(readBearerToken({ authorization: headers.authorization, protocols }));
    } catch (error) {
      const isForeign = isThroughlineError(error) && ('host' in error.details || 'origin' in error.details);
      return refuse(stream, isForeign ? 403 : 401, error);
    }
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, access));
  });

  function serve(socket: WebSocket, access: Access): void {
    const connection = createConnection((text, sent) =>
      socket.send(text, (error) => (error ? connection.end() : sent())),
    );
    const call = createCall(service, access, { connection, watches: createWatches(service, connection) });
    const here: OpenSocket = { socket, connection, missed: 0, sent: 0 };
    open.add(here);
    const stopLooking = revocation.watch(access, () => {
      // At once: it gets no more events, and its messages are ignored.
      connection.end();
      socket.resume();
      socket.close(1008, 'The token no longer counts.');
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    });
    let running = 0;
    const breathe = () => {
      if (running < AT_ONCE && !connection.full) socket.resume();
    };
    socket.on('message', (data: Buffer, isBinary) => {
      if (connection.signal.aborted) return;
      if (isBinary) return socket.close(1003, 'text only');
      running++;
      let isCounted = true;
      const onWaiting = () => {
        if (isCounted) running--;
        isCounted = false;
        breathe();
      };
      // A client that asks faster than is answered, or does not read the answers, is not read until it does.
      if (running >= AT_ONCE || connection.full) socket.pause();
      const dispatched = dispatch(data.toString('utf8'), call, lanes, { onWaiting });
      answers.add(dispatched);
      void dispatched.then(async (answer) => {
        if (answer !== undefined) connection.send(answer);
        if (connection.full) await connection.ready();
        onWaiting();
      });
    });
    socket.on('pong', () => {
      here.missed = 0;
    });
    // A frame that is too large or broken ends the socket; that is said by its close code.
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(here);
      stopLooking();
      connection.end();
    });
  }

  const heartbeat = setInterval(() => {
    for (const here of open) {
      const moves = here.connection.sent > here.sent;
      here.missed = moves ? 0 : here.missed + 1;
      if (here.missed > MISSED) {
        here.socket.terminate();
        continue;
      }
      here.socket.ping();
      here.connection.notify('server/heartbeat', { at: Date.now() });
      here.sent = here.connection.sent + here.connection.waiting;
    }
  }, service.heartbeatMs);
  heartbeat.unref();

  return async () => {
    clearInterval(heartbeat);
    for (const { socket, connection } of open) {
      connection.notify('server/closing', {});
      socket.resume();
      socket.close(1001, 'closing');
    }
    const gone = [...open].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
    const late = new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref());
    await Promise.race([Promise.all(gone), late]);
    for (const { socket } of open) socket.terminate();
    sockets.close();
  };
}

const CLOSING_MS = 1_000;

function refuse(stream: Duplex, status: number, error?: unknown): void {
  const body =
    error === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id: null, error: toWireError(error) });
  stream.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
