import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { RpcServer } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { until } from './conversations.ts';
import { countWatches } from './count-watches.ts';
import { openServer } from './transports.ts';

// Whoever is slow on purpose holds a connection, and connections are counted. Nobody is waited for without end.

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A connection on which nothing is read before it is asked for. */
function dial({ port }: RpcServer): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  open.push(socket);
  return socket;
}

/** Everything that comes until the server hangs up. */
function hear(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.once('close', () => resolve(text));
    socket.resume();
  });
}

/** One byte at a time, until nobody listens any more. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, 10);
  socket.once('close', () => clearInterval(timer));
}

/** When the server has hung up on the next one that calls. Its client does not notice before it reads. */
function hungUp(): Promise<unknown> {
  return new Promise((resolve) => {
    const taken = (message: unknown) => {
      unsubscribe('net.server.socket', taken);
      (message as { socket: Socket }).socket.once('close', resolve);
    };
    subscribe('net.server.socket', taken);
  });
}

const head = ({ token }: RpcServer, fields: Record<string, string | number>) =>
  [
    'POST /rpc HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const call = (server: RpcServer, method: string, params: object, fields: Record<string, string> = {}) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return `${head(server, { ...fields, 'Content-Length': body.length })}${body}`;
};

describe('a client that takes its time', () => {
  it('is cut off when it sends the headers byte by byte', async () => {
    await using server = await openServer({
      store: createMemoryStore(),
      timeouts: { headers: 200, request: 5_000 },
    });
    const socket = dial(server);
    drip(socket, head(server, { 'X-Long': 'x'.repeat(5_000) }));
    expect(await hear(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is cut off when it sends the body byte by byte, and nothing of it is done', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    await using server = await openServer({ store, timeouts: { headers: 200, request: 300 } });
    const socket = dial(server);
    const whole = call(server, 'chat/message/add', {
      sessionId: 's',
      role: 'user',
      content: 'x'.repeat(999),
    });
    const end = whole.indexOf('\r\n\r\n') + 4;
    socket.write(whole.slice(0, end));
    drip(socket, whole.slice(end));
    expect(await hear(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await store.read('s')).toEqual([]);
  });

  it('is cut off when it says nothing, before the first request and after it', async () => {
    await using server = await openServer({
      store: createMemoryStore(),
      timeouts: { headers: 200, request: 300, idle: 100 },
    });
    expect(await hear(dial(server))).not.toContain('200 OK');
    const socket = dial(server);
    socket.write(call(server, 'server/info', {}));
    expect(await hear(socket)).toContain('200 OK');
  });

  it('is cut off when it does not take its answer', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    const [entry] = await store.append('s', [{ body: user('x'.repeat(9 * 1024 * 1024)) }]);
    await using server = await openServer({ store, timeouts: { reading: 150 } });
    const gone = hungUp();
    const socket = dial(server);
    socket.write(call(server, 'chat/message/get', { sessionId: 's', id: entry!.id }));
    await gone;
    const text = await hear(socket);
    expect(text).toContain('200 OK');
    const told = Number(/content-length: (\d+)/i.exec(text)![1]);
    expect(text.length).toBeLessThan(told);
  });

  it('gets its answer when it reads slowly, as long as it reads', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    const [entry] = await store.append('s', [{ body: user('x'.repeat(3 * 1024 * 1024)) }]);
    await using server = await openServer({ store, timeouts: { reading: 400, idle: 400 } });
    const socket = dial(server);
    let read = 0;
    let told = Number.NaN;
    const done = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk) => {
      read += chunk.length;
      told ||= Number(/content-length: (\d+)/i.exec(chunk.toString('latin1'))?.[1]);
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    socket.write(call(server, 'chat/message/get', { sessionId: 's', id: entry!.id }));
    socket.resume();
    await done;
    expect(read).toBeGreaterThan(told);
  });

  it('is cut off when it watches and reads nothing, and its watch ends', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    for (let index = 0; index < 500; index++) await store.append('s', [{ body: user('x'.repeat(30_000)) }]);
    const counted = countWatches(store);
    await using server = await openServer({
      store: counted.store,
      heartbeatMs: 20,
      timeouts: { reading: 150 },
    });
    const gone = hungUp();
    const socket = dial(server);
    const accept = { Accept: 'text/event-stream' };
    socket.write(call(server, 'session/watch', { sessionId: 's', after: 0 }, accept));
    await gone;
    await until(() => counted.watching() === 0);
    const text = await hear(socket);
    expect(text).toContain('session/entry');
    expect(text.length).toBeLessThan(500 * 30_000);
  });
});

describe('a WebSocket', () => {
  const upgrade = ({ token }: RpcServer) =>
    [
      'GET /rpc HTTP/1.1',
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Sec-WebSocket-Protocol: throughline, bearer.${token}`,
      '\r\n',
    ].join('\r\n');

  it('that answers no ping is closed, though it takes what it is sent', async () => {
    await using server = await openServer({ store: createMemoryStore(), heartbeatMs: 20 });
    const socket = dial(server);
    socket.write(upgrade(server));
    const text = await hear(socket);
    expect(text).toContain('101 Switching Protocols');
    expect(text.match(/server\/heartbeat/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it('that answers stays open', async () => {
    await using server = await openServer({ store: createMemoryStore(), heartbeatMs: 20 });
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}rpc`, [
      'throughline',
      `bearer.${server.token}`,
    ]);
    let beats = 0;
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('close', () => reject(new Error('closed')));
      socket.addEventListener('message', () => ++beats === 20 && resolve());
    });
    socket.close();
  });
});

describe('more connections than the server keeps', () => {
  const LIMIT = 5;
  const healthy = ({ url }: RpcServer) => fetch(`${url}health`).then(({ status }) => status);
  const dialed = (server: RpcServer) =>
    new Promise<Socket>((resolve) => {
      const socket = dial(server);
      socket.once('connect', () => resolve(socket));
    });

  it.each(['nothing', 'half a request', 'a request without a token'])(
    'that sent %s make way for one that asks',
    async (what) => {
      await using server = await openServer({ store: createMemoryStore(), maxConnections: LIMIT });
      for (let count = 0; count < 3 * LIMIT; count++) {
        const socket = await dialed(server);
        if (what === 'half a request') socket.write('POST /rpc HTTP/1.1\r\nHost: 127');
        if (what === 'a request without a token') {
          socket.write('POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n');
          await new Promise((resolve) => socket.once('readable', resolve));
        }
      }
      expect(await healthy(server)).toBe(200);
    },
  );

  it('that are all in use stay, and one more is hung up on', async () => {
    await using server = await openServer({ store: createMemoryStore(), maxConnections: LIMIT });
    const sockets = Array.from({ length: LIMIT }, () => {
      const address = `${server.url.replace('http', 'ws')}rpc`;
      return new WebSocket(address, ['throughline', `bearer.${server.token}`]);
    });
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.addEventListener('open', resolve))),
    );
    await expect(healthy(server)).rejects.toThrow();
    expect(sockets.map(({ readyState }) => readyState)).toEqual(sockets.map(() => WebSocket.OPEN));
    for (const socket of sockets) socket.close();
  });
});
