import type { Access } from '../../operations/index.ts';
import { createCall } from '../call.ts';
import { createConnection } from '../connection.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { Lanes } from '../dispatch/lanes.ts';
import type { OpenAnswers } from '../dispatch/open-answers.ts';
import type { Service } from '../service.ts';
import { createWatches } from '../watches.ts';
import type { Revocation } from './revocation.ts';

/** Answers one request as an event stream, and goes on as long as something is watched: for clients without a WebSocket. */
export function openEventStream({
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
