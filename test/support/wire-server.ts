import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { anthropic } from './dialects/anthropic.ts';
import { google } from './dialects/google.ts';
import { ollama } from './dialects/ollama.ts';
import { openaiChat } from './dialects/openai-chat.ts';
import { openaiResponses } from './dialects/openai-responses.ts';
import { deliver } from './wire-delivery.ts';
import type { Dialect } from './wire-dialect.ts';
import type { Step } from './wire-script.ts';

const DIALECTS = {
  anthropic,
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  google,
  ollama,
} satisfies Record<string, Dialect>;
export type Protocol = keyof typeof DIALECTS;
export const PROTOCOLS = Object.keys(DIALECTS) as Protocol[];

export interface WireRequest {
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies of five shapes.
  readonly body: any;
  readonly streaming: boolean;
  /** Resolves once the client has hung up, whether it got its answer or not. */
  readonly closed: Promise<void>;
}

/** What each request gets, in order; or a rule for requests of which nobody knows the order. */
export type Script = readonly Step[] | ((request: WireRequest, index: number) => Step);

export interface WireServer extends AsyncDisposable {
  /** The base URL, as `openModel` and the environment take it. */
  readonly url: string;
  readonly key: string;
  readonly reference: string;
  /** Points any process at this server, key, address and model. */
  readonly env: Readonly<Record<string, string>>;
  /** The model calls that came in, oldest first; list requests are not among them. */
  readonly requests: readonly WireRequest[];
  /** The nth model call, counted from 1, as soon as it is there. */
  received(count: number): Promise<WireRequest>;
  /** Adds steps to a script that is a list. */
  add(...steps: Step[]): void;
}

/** A provider on the loopback, speaking its real protocol by a script. Nothing leaves the machine. */
export async function startWireServer(
  protocol: Protocol,
  script: Script = [],
  { key = 'wire-key-0123456789', models = ['wire-model'] }: { key?: string; models?: readonly string[] } = {},
): Promise<WireServer> {
  const dialect: Dialect = DIALECTS[protocol];
  const steps = typeof script === 'function' ? script : [...script];
  const requests: WireRequest[] = [];
  const waiting = new Map<number, (request: WireRequest) => void>();

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming, dialect);
    if (incoming.method === 'GET' && request.path.endsWith('/models')) {
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
    }
    if (!dialect.isCall(request.path)) return void response.writeHead(404).end('{"error":"no such address"}');

    const index = requests.push(request) - 1;
    waiting.get(index + 1)?.(request);
    const step = typeof steps === 'function' ? steps(request, index) : steps[index];
    await deliver(step ?? unscripted(index), { dialect, request, response });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = origin + dialect.basePath;
  return {
    url,
    key,
    reference: dialect.reference,
    env: { THROUGHLINE_MODEL: dialect.reference, ...dialect.env({ url, origin, key }) },
    requests,
    received: (count) =>
      requests[count - 1]
        ? Promise.resolve(requests[count - 1]!)
        : new Promise((resolve) => waiting.set(count, resolve)),
    add(...more) {
      if (typeof steps === 'function') throw new Error('this wire server follows a rule, not a list');
      steps.push(...more);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const closings = new WeakMap<Socket, Promise<void>>();

/** One for all requests of a connection. */
function closingOf(socket: Socket): Promise<void> {
  const closing =
    closings.get(socket) ?? new Promise<void>((resolve) => socket.once('close', () => resolve()));
  closings.set(socket, closing);
  return closing;
}

async function readRequest(incoming: IncomingMessage, dialect: Dialect): Promise<WireRequest> {
  const closed = closingOf(incoming.socket);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname: path, search } = new URL(incoming.url ?? '/', 'http://wire');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const streaming = dialect.isStreaming({ path, search, body });
  return { path, search, headers: incoming.headers, body, streaming, closed };
}

/** A refusal that no client retries, so that a script that is too short fails its test at once and says why. */
function unscripted(index: number): Step {
  const message = `The wire server's script has no step for request ${index + 1}.`;
  return { kind: 'fault', fault: { kind: 'bad-request', message } };
}
