import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashToken, newToken, type RpcServer, type TokenLine } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { until } from './conversations.ts';
import { countWatches } from './count-watches.ts';
import { openServer } from './transports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-revoked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** A server for several people, and the file that says who they are. */
async function share(names: readonly string[]) {
  const file = path.join(folder, `tokens-${files++}.json`);
  const tokens = new Map(names.map((name) => [name, newToken()]));
  const write = (lines: readonly TokenLine[]) => writeFileSync(file, JSON.stringify({ tokens: lines }));
  const line = (name: string, fields: Partial<TokenLine> = {}): TokenLine => ({
    name,
    sha256: hashToken(tokens.get(name)!),
    projects: null,
    access: 'write',
    ...fields,
  });
  write(names.map((name) => line(name)));
  const memory = createMemoryStore();
  await memory.create({ id: 's' });
  const { store, watching } = countWatches(memory);
  const server = await openServer({ store, tokensFile: file });
  return { server, store, token: (name: string) => tokens.get(name)!, write, line, watching };
}

const watch = '{"jsonrpc":"2.0","id":1,"method":"session/watch","params":{"sessionId":"s","after":0}}';

/** A WebSocket that watches, as a browser has it. */
function overSocket({ url }: RpcServer, token: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}rpc`, ['throughline', `bearer.${token}`]);
  const line = { heard: '', closed: undefined as CloseEvent | undefined, socket };
  socket.addEventListener('open', () => socket.send(watch));
  socket.addEventListener('message', ({ data }) => {
    line.heard += String(data);
  });
  socket.addEventListener('close', (event) => {
    line.closed = event;
  });
  return line;
}

/** A watch for clients without a WebSocket. */
function overEvents({ url }: RpcServer, token: string) {
  const line = { heard: '', closed: false };
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  void (async () => {
    const response = await fetch(`${url}rpc`, { method: 'POST', headers, body: watch });
    for await (const chunk of response.body!) line.heard += Buffer.from(chunk).toString();
    line.closed = true;
    // Broken off when the server stops: then nobody looks any more.
  })().catch(() => {});
  return line;
}

it.concurrent('closes the connections of a removed token, and no others', async () => {
  const { server, store, token, write, line, watching } = await share(['ann', 'bob']);
  await using _ = server;
  const [ann, bob] = [overSocket(server, token('ann')), overSocket(server, token('bob'))];
  const [annEvents, bobEvents] = [overEvents(server, token('ann')), overEvents(server, token('bob'))];
  const all = [ann, bob, annEvents, bobEvents];
  await store.append('s', [{ body: user('Before.') }]);
  await until(() => all.every(({ heard }) => heard.includes('Before.')));
  expect(watching()).toBe(4);

  write([line('bob')]);
  await until(() => ann.closed && annEvents.closed);
  expect(ann.closed).toMatchObject({ code: 1008, reason: 'The token no longer counts.' });
  await until(() => watching() === 2);
  await store.append('s', [{ body: user('After.') }]);
  await until(() => [bob, bobEvents].every(({ heard }) => heard.includes('After.')));
  expect([ann.heard, annEvents.heard].join()).not.toContain('After.');
  expect([bob.closed, bobEvents.closed]).toEqual([undefined, false]);
  bob.socket.close();
});

it.concurrent.each([
  ['may only read from now on', { access: 'read' }],
  ['reaches other projects from now on', { projects: ['shop'] }],
  ['is another token from now on', { sha256: hashToken(newToken()) }],
] satisfies [string, Partial<TokenLine>][])('closes what a token opened that %s', async (_, change) => {
  const { server, token, write, line, watching } = await share(['ann']);
  await using _server = server;
  const ann = overSocket(server, token('ann'));
  await until(() => ann.heard.includes('caught-up'));
  write([line('ann', change)]);
  await until(() => ann.closed);
  await until(() => watching() === 0);
});

it.concurrent('leaves alone what a token opened when the file is written anew and says the same of it', async () => {
  const { server, store, token, write, line } = await share(['ann']);
  await using _ = server;
  const ann = overSocket(server, token('ann'));
  await until(() => ann.heard.includes('caught-up'));
  const carl = { ...line('ann'), name: 'carl', sha256: hashToken(newToken()) };
  write([carl, line('ann')]);
  // Both are looked at: what is no longer there would be gone by then.
  await new Promise((go) => setTimeout(go, 2_000));
  await store.append('s', [{ body: user('Still here.') }]);
  await until(() => ann.heard.includes('Still here.'));
  expect(ann.closed).toBeUndefined();
  ann.socket.close();
});

it.concurrent('looks at nothing more that comes from a socket whose token was taken out, though it stays and goes on', async () => {
  const { server, store, token, write } = await share(['ann']);
  await using _ = server;
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.write(
    [
      'GET /rpc HTTP/1.1',
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Sec-WebSocket-Protocol: throughline, bearer.${token('ann')}`,
      '\r\n',
    ].join('\r\n'),
  );
  await until(() => heard.includes('101 Switching'));
  write([]);
  let sent = 0;
  let known: number | undefined;
  await until(() => {
    // It has been told to go, and does not.
    if (heard.includes('no longer counts')) known ??= sent;
    socket.write(textFrame(add(sent++)));
    return socket.destroyed;
  });
  await closed;
  expect(known).toBeGreaterThan(0);
  expect(sent).toBeGreaterThan(known! + 10);
  expect((await store.read('s')).length).toBeLessThanOrEqual(known!);
  const headers = { authorization: `Bearer ${token('ann')}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${server.url}rpc`, { method: 'POST', headers, body: add(0) });
  expect(status).toBe(401);
});

function add(index: number): string {
  const params = { sessionId: 's', role: 'user', content: `message ${index}` };
  return JSON.stringify({ jsonrpc: '2.0', method: 'chat/message/add', params });
}

/** Masked with zeros, which change nothing. */
function textFrame(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126]), length, Buffer.alloc(4), Buffer.from(text)]);
}
