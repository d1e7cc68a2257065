import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuard } from '../../../src/faces/rpc/http/guard-request.ts';
import { createAuthenticator, hashToken } from '../../../src/faces/rpc/http/tokens.ts';
import { createRpcServer, type RpcServer } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { openServer } from './transports.ts';

const root = mkdtempSync(path.join(tmpdir(), 'throughline-web-'));
const store = createMemoryStore();
let server: RpcServer;

beforeAll(async () => {
  const web = path.join(root, 'web');
  mkdirSync(path.join(web, 'assets'), { recursive: true });
  writeFileSync(path.join(web, 'index.html'), '<!doctype html><title>Throughline</title>');
  writeFileSync(path.join(web, 'assets', 'app-1a2b.js'), 'console.log(1)');
  writeFileSync(path.join(web, '.env'), 'SECRET=1');
  writeFileSync(path.join(root, 'secret.txt'), 'secret');
  symlinkSync(path.join(root, 'secret.txt'), path.join(web, 'linked.txt'));
  server = await openServer({ store, webRoot: web });
});

afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request as it is: no client puts anything right on the way. */
function send({
  method = 'POST',
  path: where = '/rpc',
  headers = {},
  body = '{"jsonrpc":"2.0","id":1,"method":"server/info"}',
}: {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  body?: string;
} = {}): Promise<Answer> {
  const all = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path: where,
        headers: given as Record<string, string>,
        agent: false,
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' || method === 'PUT' ? body : undefined);
  });
}

const FOREIGN = [
  'http://evil.example',
  'https://127.0.0.1.evil.example',
  'null',
  'http://localhost:1',
  'file://',
  '',
];

describe('a server on this machine', () => {
  it('answers requests with its token, by each of its names', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await send({ headers: { host: `${host}:${server.port}` } })).status).toBe(200);
    expect(server.token!.length).toBeGreaterThanOrEqual(43);
  });

  it.each(['POST', 'GET', 'OPTIONS', 'PUT'])('refuses rebound names on every route (%s)', async (method) => {
    const names = [
      'evil.example',
      `evil.example:${server.port}`,
      '127.0.0.1.nip.io',
      'localhost.evil.example',
      '0.0.0.0',
    ];
    for (const host of names)
      for (const where of ['/rpc', '/', '/assets/app-1a2b.js', '/nothing'])
        expect((await send({ method, path: where, headers: { host } })).status).toBe(403);
  });

  it.each(['POST', 'GET', 'OPTIONS'])(
    'refuses pages of other websites on every route (%s)',
    async (method) => {
      for (const origin of FOREIGN)
        for (const where of ['/rpc', '/', '/nothing'])
          expect((await send({ method, path: where, headers: { origin } })).status).toBe(403);
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await send({ method, headers })).status).toBe(403);
    },
  );

  it('refuses requests that a page can send without asking, token or not', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      undefined,
    ]) {
      const forged = { 'content-type': type, origin: 'http://evil.example' };
      expect((await send({ headers: { ...forged, authorization: undefined } })).status).toBe(403);
      expect((await send({ headers: forged })).status).toBe(403);
      expect((await send({ headers: { 'content-type': type } })).status).toBe(415);
    }
    const { total } = { total: (await store.count()).active };
    expect(total).toBe(0);
  });

  it('lets people follow a link to its page, and nothing else', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await send({ method: 'GET', path: '/', headers })).status).toBe(200);
    expect((await send({ headers })).status).toBe(403);
  });

  it('lets its own page call it', async () => {
    const host = `localhost:${server.port}`;
    expect((await send({ headers: { host, origin: `http://${host}` } })).status).toBe(200);
    expect((await send({ headers: { host, origin: `http://127.0.0.1:${server.port}` } })).status).toBe(403);
  });

  it('refuses requests without its token', async () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${server.token}x`,
      `Basic ${server.token}`,
    ]) {
      const { status, text } = await send({ headers: { authorization } });
      expect(status).toBe(401);
      expect(JSON.parse(text).error.data.code).toBe('access-denied');
      expect(text).not.toContain(server.token);
    }
    expect(
      (await send({ path: `/rpc?token=${server.token}`, headers: { authorization: undefined } })).status,
    ).toBe(401);
  });

  it('takes no more than its limit, with or without a length header', async () => {
    const body = 'x'.repeat(10 * 1024 * 1024 + 1);
    expect((await send({ body, headers: { 'transfer-encoding': 'chunked' } })).status).toBe(413);
    expect(
      (await send({ headers: { 'content-length': '99999999999' } }).catch(() => ({ status: 413 }))).status,
    ).toBe(413);
  });

  it('refuses to listen to others without tokens', async () => {
    for (const hostname of ['0.0.0.0', '::', '192.0.2.1'])
      await expect(createRpcServer({ store, hostname })).rejects.toMatchObject({ code: 'usage' });
  });

  it('takes no token that can be guessed', async () => {
    for (const token of ['', 'x', 'fifteen-letters'])
      for (const hostname of ['127.0.0.1', '0.0.0.0'])
        await expect(createRpcServer({ store, hostname, token })).rejects.toMatchObject({ code: 'usage' });
    const file = path.join(root, 'tokens.json');
    const nobody = { name: 'nobody', sha256: hashToken(''), projects: null, access: 'write' };
    writeFileSync(file, JSON.stringify({ tokens: [nobody] }));
    const { authenticate } = createAuthenticator({ file });
    for (const given of ['', undefined])
      expect(() => authenticate(given)).toThrowError(expect.objectContaining({ code: 'access-denied' }));
  });

  it('refuses names and origins that no request can have', async () => {
    for (const origin of ['nonsense', 'file:///page.html', 'mailto:ann@example.org', ''])
      await expect(createRpcServer({ store, origins: [origin] })).rejects.toMatchObject({ code: 'usage' });
    for (const host of ['', 'http://a.example', 'a.example/x', 'a b'])
      await expect(createRpcServer({ store, hosts: [host] })).rejects.toMatchObject({ code: 'usage' });
    const guard = createGuard({ hosts: ['A.example:8080'], origins: ['https://b.example/page'] });
    const asking = { origin: undefined, fetchSite: undefined, isVisit: false };
    guard({ ...asking, host: 'a.example:9090' });
    guard({ ...asking, host: 'a.example', origin: 'https://b.example' });
    expect(() => guard({ ...asking, host: 'a.example', origin: 'null' })).toThrow();
  });
});

describe('WebSockets', () => {
  const PROTOCOLS = ['throughline'];
  const open = (headers: Record<string, string>, where = '/rpc') =>
    new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      const all = {
        host: `127.0.0.1:${server.port}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': [...PROTOCOLS, `bearer.${server.token}`].join(', '),
        ...headers,
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      socket.write(`GET ${where} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.once('data', (chunk) => {
        resolve(chunk.toString().split('\r\n')[0]!);
        socket.destroy();
      });
      socket.once('error', () => resolve('gone'));
    });

  it('open with the token, and for its own page', async () => {
    expect(await open({})).toContain('101');
    expect(await open({ origin: `http://127.0.0.1:${server.port}` })).toContain('101');
    const bearer = { 'sec-websocket-protocol': 'throughline', authorization: `Bearer ${server.token}` };
    expect(await open(bearer)).toContain('101');
  });

  it('stay shut for other websites, other names, other tokens and other paths', async () => {
    for (const origin of FOREIGN) expect(await open({ origin })).toContain('403');
    expect(await open({ host: 'evil.example' })).toContain('403');
    expect(await open({ 'sec-websocket-protocol': 'throughline' })).toContain('401');
    expect(await open({ 'sec-websocket-protocol': 'throughline, bearer.nope' })).toContain('401');
    expect(await open({}, '/other')).toContain('404');
  });
});

describe('the files of the web app', () => {
  const get = (where: string) => send({ method: 'GET', path: where, headers: { authorization: undefined } });

  it('come with a policy that lets nothing else in', async () => {
    const { status, headers, text } = await get('/');
    expect([status, text]).toEqual([200, '<!doctype html><title>Throughline</title>']);
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await get('/assets/app-1a2b.js')).headers['content-type']).toContain('text/javascript');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/..\\secret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/.env',
    '/assets/.%2e/.%2e/secret.txt',
    '/linked.txt',
    '/index.html%00.js',
    '/%',
    '/assets',
    '/assets/',
    '/C:/secret.txt',
  ])('%s is not one of them', async (where) => {
    const { status, text } = await get(where);
    // Some of these are no addresses at all.
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('secret');
  });

  it('are said to be missing when they are', async () => {
    await using bare = await openServer({ store, webRoot: path.join(root, 'nowhere') });
    const response = await fetch(bare.url);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('dist/web is missing');
  });
});
