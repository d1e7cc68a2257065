import { describe, expect, it } from 'vitest';
import { forkSession } from '../../src/session/index.ts';
import { assistant, restoration, setting, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { type Library, openLibrary } from './library.ts';

async function openWorkshop(): Promise<Library> {
  const library = await openLibrary();
  await library.write(
    'alpha',
    setting('project', 'boats'),
    setting('agent', 'Sally'),
    { at: 1000, body: user('sail the harbour') },
    { at: 2000, body: assistant('the harbour is calm') },
    { at: 3000, body: toolCall('edit', { path: './src/harbour/map.ts', text: 'harbour' }) },
    { at: 4000, body: toolResult('edit', 'harbour saved') },
  );
  await library.write('beta', setting('project', 'cars'), setting('tag', 'urgent'), {
    at: 5000,
    body: user('drive to the harbour'),
  });
  await library.write('gamma', { at: 6000, body: user('an old harbour') }, setting('trashed', true));
  await library.write('delta', { at: 7000, body: user('a filed harbour') }, setting('archived', true));
  return library;
}

describe('filters', () => {
  it.each([
    {
      filter: {},
      found: ['alpha:3', 'alpha:4', 'alpha:5', 'alpha:6', 'beta:3', 'delta:1'],
      why: 'all but the trash',
    },
    { filter: { session: 'alpha' }, found: ['alpha:3', 'alpha:4', 'alpha:5', 'alpha:6'], why: 'one session' },
    { filter: { project: 'boats' }, found: ['alpha:3', 'alpha:4', 'alpha:5', 'alpha:6'], why: 'one project' },
    { filter: { agent: 'Sally' }, found: ['alpha:3', 'alpha:4', 'alpha:5', 'alpha:6'], why: 'one agent' },
    { filter: { tag: 'urgent' }, found: ['beta:3'], why: 'one tag' },
    { filter: { tag: 'never' }, found: [], why: 'a tag that nothing has' },
    { filter: { place: 'trashed' as const }, found: ['gamma:1'], why: 'the trash, when asked' },
    { filter: { place: 'archived' as const }, found: ['delta:1'], why: 'the archive' },
    { filter: { session: 'gamma' }, found: ['gamma:1'], why: 'a named session, though in the trash' },
    { filter: { role: 'tool' as const }, found: ['alpha:6'], why: 'one role' },
    {
      filter: { role: ['user', 'tool'] as const },
      found: ['alpha:3', 'alpha:6', 'beta:3', 'delta:1'],
      why: 'two',
    },
    { filter: { since: 4000, until: 5000 }, found: ['alpha:6', 'beta:3'], why: 'a time, ends included' },
    { filter: { file: 'src/harbour/map.ts' }, found: ['alpha:5'], why: 'a file' },
    { filter: { file: 'map.ts' }, found: ['alpha:5'], why: 'the end of its path' },
    { filter: { file: 'src/harbour' }, found: ['alpha:5'], why: 'its folder' },
    { filter: { file: 'ap.ts' }, found: [], why: 'half a name is no file' },
    {
      filter: { within: [{ session: 'alpha', from: 4, to: 5 }] },
      found: ['alpha:4', 'alpha:5'],
      why: 'a range',
    },
    { filter: { within: [] }, found: [], why: 'no range at all' },
    {
      filter: { project: 'boats', role: 'user' as const, until: 1000 },
      found: ['alpha:3'],
      why: 'several at once',
    },
    { filter: { session: 'alpha', project: 'cars' }, found: [], why: 'filters that exclude each other' },
  ])('$filter leave $found: $why', async ({ filter, found }) => {
    await using library = await openWorkshop();
    for (const by of ['words', 'both'] as const)
      expect((await library.find('harbour', { ...filter, by })).sort()).toEqual(found);
    expect((await library.find('"harbour"', filter)).sort()).toEqual(found);
    if (Object.keys(filter).length > 0 && !('file' in filter))
      expect((await library.find('', filter)).sort()).toEqual(found);
  });

  it.each([
    ...['/w/docs/日本語.md', '/w/über.ts', 'my notes.txt', '/w/my notes.txt', 'Makefile', 'src/Makefile'],
    ...['Dockerfile', '.env', 'src/[id]/page.tsx', 'src/(group)/page.tsx', '$lib/x.ts', 'src/auth', 'x.7z'],
  ])('find a call about %s', async (file) => {
    await using library = await openLibrary();
    await library.write(
      's',
      toolCall('Read', { file_path: file }),
      toolCall('move', { steps: [{ newPath: file }] }),
      toolCall('Read', { file_path: 'other.ts' }),
    );
    expect(await library.find('', { file })).toEqual(['s:2', 's:1']);
  });

  it.each([
    { input: { uri: 'file:///w/my%20notes.txt' }, file: 'my notes.txt', why: 'an address' },
    { input: { command: 'cat Makefile' }, file: 'Makefile', why: 'a command that reads it' },
    { input: { command: 'cat "/w/my notes.txt"' }, file: '/w/my notes.txt', why: 'quotes in a command' },
    { input: { command: "git add 'a b/c.ts'" }, file: 'a b', why: 'quotes behind any program' },
    { input: { command: 'cat my\\ notes.txt' }, file: 'my notes.txt', why: 'a space behind a backslash' },
    { input: { paths: ['docs/ü.md', 'LICENSE'] }, file: 'LICENSE', why: 'a list' },
    { input: { path: 'src/a.ts src/b.ts' }, file: 'b.ts', why: 'several in one field' },
    { input: { path: 'e\u0301.md' }, file: '\u00e9.md', why: 'the same letters' },
  ])('find $file: $why', async ({ input, file }) => {
    await using library = await openLibrary();
    await library.write('s', toolCall('bash', input), toolCall('bash', { command: 'ls' }));
    expect(await library.find('', { file })).toEqual(['s:1']);
  });

  it('do not take the end of a name with spaces for another file', async () => {
    await using library = await openLibrary();
    await library.write('s', toolCall('Read', { file_path: '/w/my notes.txt' }));
    expect(await library.find('', { file: 'notes.txt' })).toEqual([]);
  });

  it('name a session that is not there', async () => {
    await using library = await openWorkshop();
    await expect(library.find('harbour', { session: 'nobody' })).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });
});

describe('a decision', () => {
  it.each([
    {
      said: user('We decided to use Postgres for the ledger'),
      found: true,
      why: 'a choice that is named as one',
    },
    { said: assistant("Let's go with Postgres for the ledger"), found: true, why: 'whoever states it' },
    {
      said: user('Use Postgres instead of files for the ledger'),
      found: true,
      why: 'or what was not chosen',
    },
    { said: user('Never write to Postgres in the ledger'), found: true, why: 'what holds from now on' },
    { said: user('Should we use Postgres for the ledger?'), found: false, why: 'a question decides nothing' },
    { said: user('Postgres is using the ledger'), found: false, why: 'nor does a mere mention' },
    {
      said: toolResult('read', 'We decided to use Postgres for the ledger'),
      found: false,
      why: 'nor what a tool read somewhere',
    },
  ])('is $why', async ({ said, found }) => {
    await using library = await openLibrary();
    await library.write('s', said);
    for (const query of ['postgres ledger', ''])
      expect(await library.find(query, { decision: true })).toEqual(found ? ['s:1'] : []);
  });

  it('about a file needs both', async () => {
    await using library = await openLibrary();
    const decided = assistant('We decided to use Postgres.', {
      calls: [{ name: 'edit', input: { path: 'src/db.ts' } }],
    });
    await library.write('s', user('We decided to wait'), toolCall('edit', { path: 'src/db.ts' }), decided);
    expect(await library.find('', { decision: true, file: 'src/db.ts' })).toEqual(['s:3']);
  });
});

describe('forks', () => {
  async function openFork(): Promise<Library> {
    const library = await openLibrary();
    await library.write('trunk', user('apple one'), user('apple two'), user('apple three'));
    const trunk = (await library.store.session('trunk'))!;
    await forkSession(library.store, trunk, { at: 2, id: 'branch' });
    await library.write('branch', user('apple four'));
    await library.write('trunk', user('apple five'));
    return library;
  }

  it('index what they share once, under the session that owns it', async () => {
    await using library = await openFork();
    const found = await library.find('apple', { by: 'words' });
    expect(found.sort()).toEqual(['branch:3', 'trunk:1', 'trunk:2', 'trunk:3', 'trunk:4']);
    expect((await library.recall.stats()).messages).toBe(5);
  });

  it('see their own messages and what they share, up to the fork', async () => {
    await using library = await openFork();
    const found = await library.find('apple', { by: 'words', session: 'branch' });
    expect(found.sort()).toEqual(['branch:3', 'trunk:1', 'trunk:2']);
  });

  it('are asked by their own numbers, wherever the entries are kept', async () => {
    await using library = await openFork();
    const within = [{ session: 'branch', from: 2, to: 3 }];
    expect((await library.find('apple', { by: 'words', within })).sort()).toEqual(['branch:3', 'trunk:2']);
  });

  it('belong to one lineage with their parent and with sessions resumed from them', async () => {
    await using library = await openFork();
    const branch = (await library.store.session('branch'))!;
    await library.store.create(
      { id: 'later', parent: { session: 'branch', relation: 'resume', seq: branch.head } },
      [{ body: restoration('branch') }, { body: user('apple six') }],
    );
    await library.write('stranger', user('apple seven'));
    const found = await library.find('apple', { by: 'words', lineage: 'trunk' });
    expect(found.sort()).toEqual(['branch:3', 'later:2', 'trunk:1', 'trunk:2', 'trunk:3', 'trunk:4']);
  });
});
