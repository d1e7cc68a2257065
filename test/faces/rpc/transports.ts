import { PassThrough } from 'node:stream';
import {
  createHttpClient,
  createRpcServer,
  createSocketClient,
  type RpcClient,
  type ServiceOptions,
  type SocketLike,
  serveStdio,
} from '../../../src/faces/rpc/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';

/** A server and a client on the same line, and the line itself. */
export interface Line extends AsyncDisposable {
  readonly client: RpcClient;
  readonly store: Store;
  /** Sends a text as it is and gives the answer as it came; '' if there is none. */
  raw(text: string): Promise<string>;
  /** A line without a client on it. */
  wire(): Promise<Wire>;
}

/** Text in and text out, as it is. */
export interface Wire {
  /** `stream`: what comes behind the answer is wanted too. */
  send(text: string, options?: { stream?: boolean }): void;
  /** Is given every text that comes, also those that nobody asked for. */
  hear(listener: (text: string) => void): void;
  close(): void;
}

export type Options = Partial<ServiceOptions>;
export type Transport = (options?: Options) => Promise<Line>;

const TEST = { env: {}, checkResults: true } as const;

export async function openServer(options: Parameters<typeof createRpcServer>[0]) {
  return createRpcServer({ ...TEST, ...options });
}

const overHttp: Transport = async (options = {}) => {
  const store = options.store ?? createMemoryStore();
  const server = await openServer({ ...options, store });
  const { url } = server;
  const token = server.token!;
  const client = createHttpClient({ url, token, retryMs: 5 });
  return {
    client,
    store,
    async raw(body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(`${url}rpc`, { method: 'POST', headers, body })).text();
    },
    wire: async () => httpWire(`${url}rpc`, token),
    async [Symbol.asyncDispose]() {
      client.close();
      await server.close();
    },
  };
};

const overWebSocket: Transport = async (options = {}) => {
  const store = options.store ?? createMemoryStore();
  const server = await openServer({ ...options, store });
  const { url } = server;
  const token = server.token!;
  const client = createSocketClient({ url, token, reconnect: { firstMs: 5, mostMs: 50 } });
  return {
    client,
    store,
    raw(text) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}rpc`, ['throughline', `bearer.${token}`]);
      return new Promise((resolve, reject) => {
        socket.addEventListener('error', reject);
        socket.addEventListener('close', reject);
        socket.addEventListener('open', () => {
          socket.send(text);
          if (isSilent(text)) socket.send(END);
        });
        socket.addEventListener('message', ({ data }) => {
          if (isNotification(String(data))) return;
          resolve(String(data).includes('"id":"end"') ? '' : String(data));
          socket.close();
        });
      });
    },
    wire: () => socketWire(`${url.replace('http', 'ws')}rpc`, token),
    async [Symbol.asyncDispose]() {
      client.close();
      await server.close();
    },
  };
};

const overStdio: Transport = async (options = {}) => {
  const store = options.store ?? createMemoryStore();
  const input = new PassThrough();
  const output = new PassThrough();
  const ended = serveStdio({ ...TEST, ...options, store, input, output });
  const lines = new Set<(line: string) => void>();
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    for (const part of parts) for (const hear of [...lines]) hear(part);
  });
  const client = createSocketClient({
    url: 'http://stdio',
    reconnect: false,
    open: () => lineSocket((text) => input.write(`${text}\n`), lines),
  });
  return {
    client,
    store,
    raw: (text) =>
      new Promise((resolve) => {
        const hear = (line: string) => {
          if (isNotification(line)) return;
          lines.delete(hear);
          resolve(line.includes('"id":"end"') ? '' : line);
        };
        lines.add(hear);
        input.write(`${text}\n${isSilent(text) ? `${END}\n` : ''}`);
      }),
    wire: async () => ({
      send: (text) => input.write(`${text}\n`),
      hear: (listener) => lines.add(listener),
      close() {},
    }),
    async [Symbol.asyncDispose]() {
      client.close();
      input.end();
      await ended;
    },
  };
};

/** Each text a request of its own; with `stream`, its answer is an event stream. */
function httpWire(address: string, token: string): Wire {
  const listeners: ((text: string) => void)[] = [];
  const closing = new AbortController();
  const post = async (body: string, stream: boolean) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
    };
    const response = await fetch(address, { method: 'POST', headers, body, signal: closing.signal });
    const tell = (text: string) => {
      for (const hear of listeners) hear(text);
    };
    if (!stream) return tell(await response.text());
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + chunk).split('\n\n');
      rest = events.pop()!;
      for (const event of events) tell(event.replace(/^data: /, ''));
    }
  };
  return {
    send: (text, { stream = false } = {}) =>
      void post(text, stream).catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      }),
    hear: (listener) => listeners.push(listener),
    close: () => closing.abort(),
  };
}

async function socketWire(address: string, token: string): Promise<Wire> {
  const socket = new WebSocket(address, ['throughline', `bearer.${token}`]);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return {
    send: (text) => socket.send(text),
    hear: (listener) => socket.addEventListener('message', ({ data }) => listener(String(data))),
    close: () => socket.close(),
  };
}

/** Asked behind what is not answered: nothing comes before its answer. */
const END = '{"jsonrpc":"2.0","id":"end","method":"server/info"}';

function isSilent(text: string): boolean {
  return text.startsWith('{') && !text.includes('"id"') && text.endsWith('}');
}

function isNotification(text: string): boolean {
  return /^\{"jsonrpc":"2.0","method"/.test(text);
}

/** Lines as the typed client wants them. */
function lineSocket(send: (text: string) => void, lines: Set<(line: string) => void>): SocketLike {
  return {
    send,
    close() {},
    addEventListener(type, listener) {
      if (type === 'open') queueMicrotask(() => listener({}));
      if (type === 'message') lines.add((data) => listener({ data }));
    },
  };
}

export const TRANSPORTS = { http: overHttp, websocket: overWebSocket, stdio: overStdio } as const;
export const EACH = Object.entries(TRANSPORTS) as [keyof typeof TRANSPORTS, Transport][];
