import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/index.ts';
import { openServer } from './transports.ts';

it.each([
  ['good', 'evil'],
  ['evil', 'good'],
  ['good', 'good'],
])('a request with two Host headers (%s, %s) is refused, also for a WebSocket', async (...names) => {
  await using server = await openServer({ store: createMemoryStore() });
  const hosts = names.map((name) => (name === 'good' ? `127.0.0.1:${server.port}` : 'evil.example'));
  const ask = (rest: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1').once('error', reject);
      socket.write([...rest, `Host: ${hosts[0]}`, `hOST: ${hosts[1]}`, '', ''].join('\r\n'));
      socket.once('data', (chunk) => {
        resolve(chunk.toString().split(' ')[1]!);
        socket.destroy();
      });
    });
  const bearer = `Authorization: Bearer ${server.token}`;
  for (const where of ['/', '/rpc', '/health'])
    expect(await ask([`GET ${where} HTTP/1.1`, bearer])).toBe('400');
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  expect(await ask(['GET /rpc HTTP/1.1', bearer, ...upgrade, key])).toBe('400');
});
