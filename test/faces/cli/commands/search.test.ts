import { describe, expect, it } from 'vitest';
import { forkSession, trashSession } from '../../../../src/session/index.ts';
import { assistant, toolCall, toolResult, user } from '../../../../src/testing/index.ts';
import { startEmbeddingServer } from '../../../search/embedding-server.ts';
import { createMachine, type Machine } from '../command-line.ts';

interface Found {
  session: string;
  entry: string;
  seq: number;
  role: string;
  snippet: string;
  score: number;
}

async function createLibrary(): Promise<Machine> {
  const machine = createMachine();
  await machine.session(
    { id: 'auth', title: 'Refactor auth', project: 'shop', tags: ['urgent'] },
    (session) =>
      session.append([
        user('Where are tokens checked?'),
        assistant('In check-token.ts. We decided to use short tokens instead of sessions.'),
        toolCall('edit', { path: 'src/auth/check-token.ts', text: 'a token' }),
        toolResult('edit', 'token saved'),
      ]),
  );
  await machine.session({ id: 'garage', agent: 'Bob' }, (session) =>
    session.append([user('The car would not start this morning'), assistant('Call a garage, with a token.')]),
  );
  return machine;
}

const places = (found: readonly Found[]) => found.map(({ session, seq }) => `${session}:${seq}`).sort();

describe('throughline search', () => {
  it('shows hits: where, when, the words, and how to open them there', async () => {
    using machine = await createLibrary();
    const { stdout, stderr, code } = await machine.run(['search', '"tokens', 'checked"']);
    expect(stdout).toBe(`Refactor auth  user  just now
   Where are tokens checked?
   throughline show auth --at 4
`);
    expect([stderr, code]).toEqual(['', 0]);
    const { stdout: shown } = await machine.run(['show', 'auth', '--at', '4']);
    expect(shown).toContain('▸ 4  user');
    expect(shown).toContain('We decided to use short tokens');
  });

  it('finds sessions by their titles, tags, projects and agents, whatever was said in them', async () => {
    using machine = await createLibrary();
    const { stdout } = await machine.run(['search', 'URGÉNT', 'refactor']);
    expect(stdout).toContain('Refactor auth  the whole session');
    expect(stdout).toContain('throughline show auth\n');
  });

  it.each(['check-token.ts', 'src/auth/check-token.ts', '"auth/check-token.ts"'])(
    'finds the session that worked on %s',
    async (file) => {
      using machine = await createLibrary();
      const { stdout } = await machine.run(['search', file]);
      expect(stdout).toContain('Refactor auth  worked on this file');
      expect(stdout).not.toContain('garage');
    },
  );

  it('names a session once, and the file of a sentence is no file that is asked for', async () => {
    using machine = await createLibrary();
    await machine.session({ id: 'named', title: 'check-token.ts' }, (session) =>
      session.append([toolCall('edit', { path: 'check-token.ts' })]),
    );
    const { stdout } = await machine.run(['search', 'check-token.ts']);
    expect(stdout).toMatch(/^check-token\.ts {2}the whole session/m);
    expect(stdout.match(/throughline show named$/gm)).toHaveLength(1);
    const asked = await machine.run(['search', 'edit check-token.ts']);
    expect(asked.stdout).not.toContain('worked on this file');
  });

  it('reports that nothing holds the quoted phrase, and shows hits without the quotes', async () => {
    using machine = await createLibrary();
    const { stdout, stderr } = await machine.run(['search', '"token', 'check"']);
    expect(stdout).toContain('Where are tokens checked?');
    expect(stderr).toContain('No message holds what is in quotes');
  });

  it('marks the words in a terminal, and lets no text steer it', async () => {
    using machine = await createLibrary();
    await machine.session({ id: 'evil' }, (session) => session.append([user('\u001b]0;pwned\u0007 zebra')]));
    const { stdout } = await machine.run(['search', 'zebra'], { columns: 60 });
    expect(stdout).toContain('\u001b[1m\u001b[33mzebra\u001b[39m\u001b[22m');
    expect(stdout).not.toContain('\u001b]0;');
  });

  it('prints the contract as JSON', async () => {
    using machine = await createLibrary();
    const found = await machine.json<Found[]>('search', '"tokens checked"');
    expect(found).toEqual([
      {
        session: 'auth',
        entry: expect.stringMatching(/^[0-9a-f-]{36}$/),
        seq: 4,
        role: 'user',
        snippet: 'Where are tokens checked?',
        score: 1,
      },
    ]);
    expect(await machine.json('search', '"nowhere at all"')).toEqual([]);
  });

  it('finds messages in other words by meaning', async () => {
    using machine = await createLibrary();
    const [first] = await machine.json<Found[]>('search', 'vehicle', 'broke', 'down');
    expect(first).toMatchObject({ session: 'garage', seq: 2 });
    expect(await machine.json('search', 'vehicle broke down', '--words')).toEqual([]);
  });

  it.each([
    { flags: ['--session', 'auth'], found: ['auth:4', 'auth:5', 'auth:6', 'auth:7'] },
    { flags: ['--lineage', 'auth'], found: ['auth:4', 'auth:5', 'auth:6', 'auth:7', 'branch:6'] },
    { flags: ['--project', 'shop', '--role', 'user,tool'], found: ['auth:4', 'auth:7', 'branch:6'] },
    { flags: ['--project', 'nobody-knows'], found: [] },
    { flags: ['--tag', 'urgent', '--role', 'user'], found: ['auth:4', 'branch:6'] },
    { flags: ['--agent', 'Bob'], found: ['garage:3'] },
    { flags: ['--file', 'src/auth'], found: ['auth:6'] },
    { flags: ['--decision'], found: ['auth:5'] },
    { flags: ['--trashed'], found: ['bin:1'] },
    { flags: ['--since', 'today', '--session', 'auth', '--role', 'user'], found: ['auth:4'] },
    { flags: ['--until', 'yesterday'], found: [] },
  ])('$flags leave $found', async ({ flags, found }) => {
    using machine = await createLibrary();
    await machine.change(async (store) => {
      const { id } = await forkSession(store, (await store.session('auth'))!, { at: 5, id: 'branch' });
      await store.append(id, [{ body: user('a token on the branch') }]);
      await store.create({ id: 'bin' }, [{ body: user('an old token') }]);
      await trashSession(store, 'bin');
    });
    expect(places(await machine.json<Found[]>('search', 'token', '--words', ...flags))).toEqual(found);
  });

  it('without words shows the newest that the filters leave', async () => {
    using machine = await createLibrary();
    expect(places(await machine.json<Found[]>('search', '--file', 'check-token.ts'))).toEqual(['auth:6']);
    expect(await machine.json<Found[]>('search', '--limit', '2')).toHaveLength(2);
  });

  it('says what could help when nothing was found', async () => {
    using machine = await createLibrary();
    const said = async (...args: string[]) => (await machine.run(['search', ...args])).stderr;
    expect(await said('zzz')).toContain('start of one with a star');
    expect(await said('to*', 'zzz')).toContain('A start needs three letters or more; "to*"');
    expect(await said('zzzz*')).toContain('a shorter start');
    expect(await said('zzz*', '--words')).not.toContain('three letters');
    const long = await said('"', 'z'.repeat(10_000), '"');
    expect(long).toMatch(/Nothing fits "z{50,100}…" in/);
    expect(long.length).toBeLessThan(400);
    expect(await said('"zzz yyy"')).toContain('Nothing fits "zzz yyy" in');
    expect(await said('tokens', '--role', 'system')).toContain('Without the filters there are hits');
    expect(await said('zzz', '--words')).toContain('Without --words');
    await machine.change((store) => trashSession(store, 'garage'));
    expect(await said('garage', '--words')).toContain('--trashed');
    using empty = createMachine();
    expect((await empty.run(['search', 'anything'])).stderr).toContain('no messages to search yet');
  });

  it.each([
    { args: ['x', '--role', 'boss'], message: 'Roles are system' },
    { args: ['x', '--since', 'soon'], message: 'how long ago' },
    { args: ['x', '--session', 'nobody'], message: 'nobody', code: 10 },
    { args: ['x', '--words', '--meaning'], message: 'cannot be used' },
    { args: ['x', '--embedding', 'anthropic'], message: 'has no embeddings', code: 60 },
  ])('refuses $args', async ({ args, message, code = 2 }) => {
    using machine = await createLibrary();
    const ran = await machine.run(['search', ...args]);
    expect(ran.stderr).toContain(message);
    expect(ran.code).toBe(code);
  });
});

describe("throughline search with a provider's embeddings", () => {
  it('is asked for by the environment', async () => {
    using machine = await createLibrary();
    await using server = await startEmbeddingServer();
    const env = { ...server.env, THROUGHLINE_EMBEDDING: 'openai:text-embedding-3-small' };
    const { stdout } = await machine.run(['search', 'drive', '--meaning', '--json', '--limit', '1'], {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject([{ session: 'garage', seq: 2 }]);
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it('finds words when the provider fails, says why, and never shows the key', async () => {
    using machine = await createLibrary();
    await using server = await startEmbeddingServer();
    server.mood = 'fails';
    const { stdout, stderr, code } = await machine.run(['search', 'garage', '--embedding', 'openai'], {
      env: server.env,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Call a garage');
    expect(stderr).toContain('found by words only');
    expect(stderr).not.toContain(server.key);
  });
});

it('purging leaves no trace in the index', async () => {
  using machine = await createLibrary();
  await machine.run(['search', 'tokens']);
  const { readFileSync } = await import('node:fs');
  const index = machine.storeFile.replace(/\.db$/, '.index.db');
  expect(readFileSync(index).includes('morn')).toBe(true);
  await machine.run(['trash', 'garage']);
  expect((await machine.run(['purge', 'garage', '--yes'])).code).toBe(0);
  expect(readFileSync(index).includes('morn')).toBe(false);
  expect((await machine.run(['search', 'tokens'])).stdout).toContain('tokens');
});
