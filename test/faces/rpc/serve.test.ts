import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, createSocketClient } from '../../../src/faces/rpc/index.ts';
import { openProject, placeFolder } from '../../../src/project/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { hang } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { startServe } from './served.ts';

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-serve-'));
  store = path.join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('throughline serve', () => {
  it('says what a session that is started in its folder belongs to, and writes nothing down for that', async () => {
    const info = async () => {
      await using served = await startServe(store);
      const client = createHttpClient({ url: served.url, token: served.token! });
      const before = await client.call('projects/list');
      return { ...(await client.call('server/info')), known: before.projects.length };
    };
    expect(await info()).toMatchObject({ project: process.cwd(), projects: null, known: 0 });
    await using opened = await openStore(store);
    const { project } = await placeFolder(opened, process.cwd());
    const { id } = await openProject(opened, project);
    expect(await info()).toMatchObject({ project: id, known: 1 });
  });

  it.each([
    { how: 'a flag', args: ['--timeout', '1'], env: { THROUGHLINE_TIMEOUT: '60' } },
    { how: 'the environment', args: [], env: { THROUGHLINE_TIMEOUT: '1' } },
  ])('ends a stalled turn by the timeout of $how, and logs its code and session', async ({ args, env }) => {
    await using model = await startWireServer('openai-chat', [hang()]);
    await using served = await startServe(store, args, { ...model.env, ...env });
    const client = createHttpClient({ url: served.url, token: served.token! });
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'A secret question.' });
    await until(() => served.stderr() !== '' || undefined);
    expect(served.stderr()).toBe(`A turn of session ${chatSessionId} failed: model-timeout.\n`);
  });

  it('prints one line with the address to open, works without stdin, and ends cleanly on a signal', async () => {
    await using served = await startServe(store);
    expect(served.stdout()).toMatch(/^Throughline is at http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    const client = createHttpClient({ url: served.url, token: served.token! });
    const { session } = await client.call('chat/session/create', { title: 'Kept' });
    const socket = createSocketClient({ url: served.url, token: served.token!, reconnect: false });
    await socket.call('server/info');
    expect(await served.end('SIGTERM')).toBe(0);
    expect(served.stdout().split('\n')).toHaveLength(2);
    expect(served.stderr()).not.toContain(served.token);
    // A flag that the engine no longer knows is told there.
    expect(served.stderr()).not.toContain('flag');
    await using opened = await openStore(store);
    expect((await opened.session(session.id))?.state.title?.text).toBe('Kept');
  });

  it('has another token at each start', async () => {
    await using first = await startServe(store);
    await using second = await startServe(store);
    expect(first.token).not.toBe(second.token);
    const wrong = createHttpClient({ url: second.url, token: first.token! });
    await expect(wrong.call('server/info')).rejects.toMatchObject({ code: 'access-denied' });
  });

  it('refuses another address without tokens', async () => {
    await expect(startServe(store, ['--host', '0.0.0.0'])).rejects.toThrow(/without tokens of your own/);
  });

  it.each([
    [['--port', '99999'], /65535/],
    [['--allow-origin', 'nonsense'], /no origin of a website/],
    [['--allow-host', 'http://a.example'], /no name of a host/],
  ])('reports the error of %j', async (args, words) => {
    const failed = startServe(store, args);
    await expect(failed).rejects.toThrow(words);
    await expect(failed).rejects.not.toThrow(/[Uu]nexpected/);
  });

  it('speaks on stdin and stdout, one JSON text a line, until no more comes', async () => {
    await using before = await openStore(store);
    await before.create({ id: 's' });
    const args = [path.resolve('dist/faces/cli/main.js'), 'serve', '--stdio', '--store', store];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '', HOME: folder } });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end(
      [
        '{"jsonrpc":"2.0","id":1,"method":"chat/session/get","params":{"sessionId":"s"}}',
        '',
        'no json',
        '{"jsonrpc":"2.0","id":2,"method":"ai/session/send","params":{"sessionId":"x","storageSessionId":"s","content":"Hi"}}',
      ].join('\n'),
    );
    expect(await ended).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answers = lines.filter(({ method }) => method === undefined);
    expect(answers.map(({ id, error }) => [id, error?.code]).sort()).toEqual([
      [null, -32700],
      [1, undefined],
      [2, undefined],
    ]);
    // The turn was waited for.
    expect(lines.some(({ params }) => params?.event?.type === 'turn-end')).toBe(true);
  });
});

describe('tokens of several people', () => {
  const SECRET = 'ann-has-a-long-token-of-her-own';

  it('reach the projects they are for, and write only if they may', async () => {
    const tokens = path.join(folder, 'tokens.json');
    const { hashToken } = await import('../../../src/faces/rpc/index.ts');
    const line = (name: string, token: string, projects: string[] | null, access: string) => ({
      name,
      sha256: hashToken(token),
      projects,
      access,
    });
    const file = {
      tokens: [
        line('root', 'root-token', null, 'write'),
        line('ann', SECRET, ['shop'], 'write'),
        line('bob', 'bob-token', ['bank'], 'write'),
        line('eve', 'eve-token', ['shop'], 'read'),
      ],
    };
    writeFileSync(tokens, JSON.stringify(file));
    await using served = await startServe(store, ['--tokens', tokens]);
    expect(served.token).toBeUndefined();
    const as = (token: string) => createHttpClient({ url: served.url, token });
    const [root, ann, bob, eve] = [as('root-token'), as(SECRET), as('bob-token'), as('eve-token')];
    const { session } = await ann.call('chat/session/create', { title: 'Hers' });
    expect(session.project).toBe('shop');
    await ann.call('chat/message/add', {
      sessionId: session.id,
      role: 'user',
      content: 'The vault is green.',
    });
    const { session: his } = await bob.call('chat/session/create', { id: 'his', title: 'His' });
    const titles = async (client: typeof ann) =>
      (await client.call('chat/session/list')).sessions.map(({ title }) => title).sort();
    expect(await titles(root)).toEqual(['Hers', 'His']);
    expect(await titles(ann)).toEqual(['Hers']);
    expect(await titles(eve)).toEqual(['Hers']);
    const found = async (client: typeof ann) => (await client.call('search', { query: 'vault' })).hits.length;
    expect([await found(ann), await found(bob)]).toEqual([1, 0]);
    const refused = { code: 'session-not-found' };
    await expect(ann.call('chat/session/get', { sessionId: his.id })).rejects.toMatchObject(refused);
    await expect(ann.call('chat/session/update', { sessionId: 'his', title: 'x' })).rejects.toMatchObject(
      refused,
    );
    await expect(ann.call('ai/session/resume', { chatSessionId: 'his' })).rejects.toMatchObject(refused);
    await expect(
      ann.call('ai/session/send', { sessionId: 'x', storageSessionId: 'his', content: 'x' }),
    ).rejects.toMatchObject(refused);
    // Neither by its title nor by the start of its id, not even that there is one.
    await expect(ann.call('chat/session/get', { sessionId: 'His' })).rejects.toMatchObject(refused);
    await expect(ann.call('chat/session/get', { sessionId: 'hi' })).rejects.toMatchObject(refused);
    const denied = { code: 'access-denied' };
    await expect(ann.call('chat/session/create', { project: 'bank' })).rejects.toMatchObject(denied);
    await expect(
      ann.call('chat/session/update', { sessionId: session.id, project: 'bank' }),
    ).rejects.toMatchObject(denied);
    await expect(
      eve.call('chat/message/add', { sessionId: session.id, role: 'user', content: 'x' }),
    ).rejects.toMatchObject(denied);
    await ann.call('memory/add', { project: 'shop', text: 'It is green.' });
    await expect(bob.call('memory/list', { project: 'shop' })).rejects.toMatchObject({
      code: 'project-not-found',
    });
    expect((await bob.call('projects/list')).projects.map(({ name }) => name)).toEqual(['bank']);
    // A token that is taken out is worth nothing any more.
    writeFileSync(tokens, JSON.stringify({ tokens: file.tokens.filter(({ name }) => name !== 'ann') }));
    await until(() =>
      ann.call('server/info').then(
        () => undefined,
        (error) => error,
      ),
    );
    expect((await root.call('server/info')).user).toBe('root');
  });

  it('are made by a command that writes down no more than their hashes', async () => {
    const tokens = path.join(folder, 'team.json');
    const run = (...args: string[]) =>
      new Promise<string>((resolve) => {
        const words = [path.resolve('dist/faces/cli/main.js'), 'serve', '--tokens', tokens, ...args];
        const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH ?? '', HOME: folder } });
        let out = '';
        child.stdout.on('data', (chunk: Buffer) => {
          out += chunk.toString();
        });
        child.once('close', () => resolve(out.trim()));
      });
    const token = await run('--add-token', 'ann', '--project', 'shop', '--read-only');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(tokens, 'utf8')).not.toContain(token);
    expect(statSync(tokens).mode & 0o077).toBe(0);
    await using served = await startServe(store, ['--tokens', tokens]);
    const info = await createHttpClient({ url: served.url, token }).call('server/info');
    expect(info).toMatchObject({ user: 'ann', mayWrite: false, projects: ['shop'], project: null });
  });
});

describe('a server that is killed under load', () => {
  it('has every message that it acknowledged', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 2; round++) {
      await using served = await startServe(store);
      const clients = Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? createHttpClient({ url: served.url, token: served.token! })
          : createSocketClient({ url: served.url, token: served.token!, reconnect: false }),
      );
      const before = acknowledged.length;
      const talkOn = async (client: (typeof clients)[number], index: number) => {
        const id = `s${index}`;
        await client.call('chat/session/create', { id }).catch(() => {});
        for (;;) {
          const content = `round ${round}`;
          const method = index < 4 ? 'chat/message/add' : 'ai/session/send';
          const params =
            method === 'chat/message/add'
              ? { sessionId: id, role: 'user' as const, content }
              : { sessionId: 'x', storageSessionId: id, content };
          const result = (await client.call(method, params as never)) as {
            message?: { id: string };
            messageId?: string;
          };
          acknowledged.push(`${id} ${result.message?.id ?? result.messageId}`);
        }
      };
      const work = clients.map((client, index) => talkOn(client, index).catch(() => {}));
      await until(() => acknowledged.length > before + 60 || undefined);
      await served.end('SIGKILL');
      await Promise.all(work);
      for (const client of clients) client.close();
    }
    await using opened = await openStore(store);
    const missing: string[] = [];
    for (const line of acknowledged) {
      const [session, id] = line.split(' ') as [string, string];
      const isThere =
        (await opened.entry(session, id)) !== undefined || (await isWaiting(opened, session, id));
      if (!isThere) missing.push(line);
    }
    expect(missing).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(120);
    expect((await opened.verify()).problems).toEqual([]);
  });
});

/** What came while another turn ran is a note until its turn comes. */
async function isWaiting(
  store: Awaited<ReturnType<typeof openStore>>,
  session: string,
  id: string,
): Promise<boolean> {
  const notes = await store.read(session, { only: 'notes' });
  return notes.some(({ body }) => body.kind === 'run' && body.step === 'waiting' && body.input === id);
}
