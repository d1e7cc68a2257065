import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ThroughlineError } from '../../../src/errors.ts';
import { createReadiness } from '../../../src/faces/rpc/http/static-files.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { openServer } from './transports.ts';

const failing = (error: unknown): Store => ({ ...createMemoryStore(), probe: () => Promise.reject(error) });
const storeError = (code: 'store-full' | 'store-read-only') =>
  new ThroughlineError(code, 'It is at /secret.');

describe('GET /health', () => {
  it('says that the process is up, without a token, and nothing else', async () => {
    await using server = await openServer({ store: failing(storeError('store-full')) });
    const response = await fetch(`${server.url}health`);
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /ready', () => {
  it('says that the store can be read and written', async () => {
    await using server = await openServer({ store: createMemoryStore() });
    const response = await fetch(`${server.url}ready`);
    expect([response.status, await response.text()]).toEqual([200, 'ready\n']);
  });

  it.each([
    [storeError('store-full'), 'full'],
    [storeError('store-read-only'), 'read-only'],
    [new Error('somewhere'), 'unexpected'],
  ])('is 503 with one word otherwise: %s', async (error, word) => {
    await using server = await openServer({ store: failing(error) });
    const response = await fetch(`${server.url}ready`);
    expect([response.status, await response.text()]).toEqual([503, `${word}\n`]);
  });

  it('asks the store once, however many ask at the same time', async () => {
    const asked: (() => void)[] = [];
    const ready = createReadiness({ probe: () => new Promise<void>((done) => asked.push(done)) });
    const answers = Promise.all([ready(), ready(), ready()]);
    asked[0]!();
    expect(await answers).toEqual([undefined, undefined, undefined]);
    expect(await ready()).toBe(undefined);
    expect(asked).toHaveLength(1);
  });
});

it.each(['health', 'ready'])('/%s is refused under another name, like everything else', async (path) => {
  await using server = await openServer({ store: createMemoryStore() });
  const { port } = server;
  const headers = { host: 'evil.example' };
  const status = await new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path: `/${path}`, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on('error', reject).end();
  });
  expect(status).toBe(403);
});
