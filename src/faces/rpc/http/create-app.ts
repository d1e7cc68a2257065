import { existsSync } from 'node:fs';
import path from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { type ErrorCode, isThroughlineError } from '../../../errors.ts';
import { type Access, refused } from '../../../operations/index.ts';
import { createCall, type RpcCall } from '../call.ts';
import { createConnection } from '../connection.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { Lanes, OpenAnswers } from '../dispatch/lanes.ts';
import { toWireError } from '../error-codes.ts';
import type { Service } from '../service.ts';
import { createWatches } from '../watches.ts';
import { type Guard, isJson, readBearerToken, readHttpBody, refuseTwoHosts } from './guard-request.ts';
import { createReadiness, readStatic, safeHeaders } from './static-files.ts';
import type { Authenticator, Revocation } from './tokens.ts';

interface AppOptions {
  readonly service: Service;
  readonly lanes: Lanes;
  readonly answers: OpenAnswers;
  readonly guard: Guard;
  readonly authenticate: Authenticator['authenticate'];
  readonly revocation: Revocation;
  /** The built web app. */
  readonly webRoot: string | undefined;
  /** How long a client may take nothing of its answer. */
  readonly readingMs: number;
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  'access-denied': 403,
  cancelled: 400,
  'request-too-large': 413,
  'server-busy': 503,
  usage: 415,
};

/** Requests over HTTP: JSON-RPC at /rpc, /health and /ready, the files of the web app. Everything passes the guard first. */
export function createHttpApp(options: AppOptions) {
  const { service, lanes, answers, guard, authenticate, revocation, webRoot, readingMs } = options;
  const ready = createReadiness(service.store);
  const app = new Hono<{ Bindings: HttpBindings }>();
  // The part that is the same for every request of one person is put together once.
  const calls = new WeakMap<Access, RpcCall>();

  function callOf(access: Access): RpcCall {
    const call = calls.get(access) ?? createCall(service, access);
    calls.set(access, call);
    return call;
  }

  function refuse(error: unknown, given?: number): Response {
    if (!isThroughlineError(error)) service.onError(error);
    const status = given ?? (isThroughlineError(error) ? (STATUS[error.code] ?? 500) : 500);
    return answer(JSON.stringify({ jsonrpc: '2.0', id: null, error: toWireError(error) }), status);
  }

  app.onError((error) => refuse(error));
  app.notFound(() => new Response('There is nothing here.\n', { status: 404, headers: TEXT }));

  app.post('/rpc', async ({ req, env }) => {
    const { headers } = env.incoming;
    const token = readBearerToken({ authorization: headers.authorization });
    let access: Access;
    try {
      access = authenticate(token);
    } catch (error) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: null, error: toWireError(error) });
      return answer(text, 401, { 'www-authenticate': 'Bearer' });
    }
    if (!isJson(headers['content-type']))
      throw refused('usage', 'Requests are JSON: "Content-Type: application/json".');
    const text = await readHttpBody(env.incoming, service.maxBodyBytes);
    if (headers.accept?.includes('text/event-stream')) {
      // Heartbeats leave all the time, unless the client does not read them.
      env.outgoing.setTimeout(Math.max(readingMs, 4 * service.heartbeatMs));
      return openEventStream({ service, lanes, answers, access, revocation, text, signal: req.raw.signal });
    }
    const dispatched = dispatch(text, callOf(access), lanes);
    answers.add(dispatched);
    const result = await dispatched;
    if (result === undefined) return new Response(null, { status: 204 });
    sendNow(env.outgoing, result);
    if (env.outgoing.writableLength > 0) env.outgoing.setTimeout(readingMs);
    return RESPONSE_ALREADY_SENT;
  });

  app.get('/health', () => plain('ok', 200));
  app.get('/ready', async () => {
    const reason = await ready();
    return plain(reason ?? 'ready', reason === undefined ? 200 : 503);
  });

  app.get('*', async ({ env }) => {
    const { url = '/', headers } = env.incoming;
    env.outgoing.setTimeout(readingMs);
    const safe = safeHeaders(headers.host ?? '');
    if (webRoot === undefined || !existsSync(path.join(webRoot, 'index.html')))
      return new Response(noWeb(url), { status: 404, headers: { ...safe, ...TEXT } });
    const found = await readStatic(webRoot, url);
    return found
      ? new Response(found.body, { headers: { ...safe, ...found.headers } })
      : new Response('There is nothing here.\n', { status: 404, headers: { ...safe, ...TEXT } });
  });

  return {
    /** The guard stands before the routes, so there is none that it does not watch. */
    fetch(request: Request, env: HttpBindings): Response | Promise<Response> {
      const { headers, rawHeaders, method } = env.incoming;
      try {
        refuseTwoHosts(rawHeaders);
      } catch (error) {
        return refuse(error, 400);
      }
      try {
        guard({
          host: headers.host,
          origin: headers.origin,
          fetchSite: only(headers['sec-fetch-site']),
          isVisit: method === 'GET' && only(headers['sec-fetch-mode']) === 'navigate',
        });
      } catch (error) {
        return refuse(error);
      }
      return app.fetch(request, env);
    },
  };
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** For supervisors: a word, never kept by anything in between. */
function plain(word: string, status: number): Response {
  return new Response(`${word}\n`, { status, headers: { ...TEXT, 'cache-control': 'no-store' } });
}

function noWeb(url: string): string {
  return url === '/' || url === '/index.html'
    ? 'The web app is not part of this build: its folder dist/web is missing. "npm run build" makes it. JSON-RPC is answered at /rpc.\n'
    : 'There is nothing here.\n';
}

function answer(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { ...JSON_HEADERS, ...headers } });
}

/** A web response with a body is read back as a stream and waited for; most answers need not take that way. */
function sendNow(outgoing: HttpBindings['outgoing'], text: string): void {
  const bytes = Buffer.byteLength(text);
  outgoing.writeHead(200, { ...JSON_HEADERS, 'content-length': bytes });
  // Where every character is one byte, nothing has to be encoded.
  outgoing.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

function only(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Answers one request as an event stream, and goes on as long as something is watched: for clients without a WebSocket. */
function openEventStream({
  service,
  lanes,
  answers,
  access,
  revocation,
  text,
  signal,
}: {
  service: Service;
  lanes: Lanes;
  answers: OpenAnswers;
  access: Access;
  revocation: Revocation;
  text: string;
  signal: AbortSignal;
}): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const connection = createConnection((event, sent) => {
    writer.write(encoder.encode(`data: ${event}\n\n`)).then(sent, () => connection.end());
  });
  let answered = false;
  const close = () => {
    if (connection.signal.aborted) return;
    clearInterval(heartbeat);
    stopLooking();
    connection.end();
    writer.close().catch(() => {});
  };
  const watches = createWatches(service, connection, { onIdle: () => answered && close() });
  const heartbeat = setInterval(
    () => connection.notify('server/heartbeat', { at: Date.now() }),
    service.heartbeatMs,
  );
  heartbeat.unref();
  const stopLooking = revocation.watch(access, close);
  signal.addEventListener('abort', close, { once: true });
  writer.closed.catch(close);
  const dispatched = dispatch(text, createCall(service, access, { connection, watches }), lanes);
  answers.add(dispatched);
  void dispatched.then((result) => {
    if (result !== undefined) connection.send(result);
    answered = true;
    if (!watches.active) close();
  });
  return new Response(readable, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  });
}
