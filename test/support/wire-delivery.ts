import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dialect } from './wire-dialect.ts';
import type { Delivery, Fault, Step } from './wire-script.ts';
import type { WireRequest } from './wire-server.ts';

interface Exchange {
  readonly dialect: Dialect;
  readonly request: WireRequest;
  readonly response: ServerResponse;
}

/** Sends what a step says, accidents included. */
export async function deliver(step: Step, exchange: Exchange): Promise<void> {
  switch (step.kind) {
    case 'hang':
      return;
    case 'drop':
      return void exchange.response.destroy();
    case 'held':
      await step.until;
      return deliver(step.step, exchange);
    case 'malformed':
      return sendMalformed(exchange);
    case 'fault':
      return sendFault(step.fault, exchange);
    case 'turn': {
      const { dialect, request } = exchange;
      if (step.delivery === 'fail' && !request.streaming)
        return sendFault({ kind: 'server-error' }, exchange);
      const parts = request.streaming
        ? dialect.frames(step.turn, request)
        : slices(JSON.stringify(dialect.answer(step.turn, request)));
      return sendParts(parts, step.delivery, exchange);
    }
  }
}

async function sendParts(parts: readonly string[], delivery: Delivery, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  response.writeHead(200, {
    'content-type': request.streaming ? 'text/event-stream' : 'application/json',
    // A body of a known length that ends before it is what a broken connection looks like to a client.
    ...(!request.streaming && { 'content-length': String(Buffer.byteLength(parts.join(''))) }),
  });

  const trickleMs = typeof delivery === 'object' && 'trickleMs' in delivery ? delivery.trickleMs : undefined;
  const half = Math.ceil(parts.length / 2);
  const sent = delivery === 'whole' || trickleMs !== undefined ? parts : parts.slice(0, half);
  for (const part of sent) {
    if (response.destroyed) return;
    await write(response, part);
    if (trickleMs !== undefined) await wait(trickleMs);
  }
  if (delivery === 'stall') return;
  if (typeof delivery === 'object' && 'until' in delivery) {
    await delivery.until;
    if (delivery.then === 'whole') response.write(parts.slice(half).join(''));
    return finish(delivery.then, exchange);
  }
  finish(typeof delivery === 'object' ? 'whole' : delivery, exchange);
}

function finish(
  delivery: Exclude<Delivery, object | 'stall'>,
  { dialect, request, response }: Exchange,
): void {
  if (delivery === 'cut' || (delivery === 'end-early' && !request.streaming)) {
    response.destroy();
    return;
  }
  response.end(delivery === 'fail' ? dialect.failureFrame() : undefined);
}

function sendFault(fault: Fault, { dialect, request, response }: Exchange): void {
  const { status, headers, body } = dialect.fault(fault, request);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sendMalformed({ request, response }: Exchange): void {
  const type = request.streaming ? 'text/event-stream' : 'application/json';
  const body = request.streaming ? 'data: {"half": \n\n' : '<html>502 from a proxy';
  response.writeHead(200, { 'content-type': type }).end(body);
}

const write = (response: ServerResponse, text: string) =>
  new Promise<void>((resolve) => response.write(text, () => resolve()));

/** By code points: half a surrogate pair would not survive the way. */
function slices(text: string, count = 6): string[] {
  return text.match(new RegExp(`.{1,${Math.ceil(text.length / count)}}`, 'gsu')) ?? [];
}
