import { mkdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkFolder, openProject, type Project } from '../../../src/project/index.ts';
import { unknownProject } from '../../../src/project/projects/project.ts';
import type { EntryBody } from '../../../src/record/index.ts';
import { fileHistory, openRecall } from '../../../src/search/index.ts';
import { createSession, forkSession } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { assistant, compaction, fixedClock, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { git, makeRepository, projectAt } from '../../project/benches.ts';
import { STORES } from '../../session/stores.ts';

const TOP = '/nowhere/shop';
const PROJECT = unknownProject(TOP);

async function talk(store: Store, id: string, bodies: readonly EntryBody[], project = TOP): Promise<void> {
  await using session = await createSession(store, { id, project, agent: 'Sally' });
  await session.append(bodies);
}

const edit = (file: string, result = 'done') => [
  toolCall('edit', { file_path: file }),
  toolResult('edit', result),
];
const shell = (command: string, result: unknown = 'ok') => [
  toolCall('bash', { command }),
  toolResult('bash', result),
];

async function touched(store: Store, file: string, project: Project = PROJECT): Promise<string[]> {
  const { touches } = await fileHistory(store, project, file);
  return touches.map(
    ({ session, operation, path: name, request }) => `${session} ${operation} ${name}: ${request?.text}`,
  );
}

describe.each(STORES)('the history of a file in a $kind store', ({ open }) => {
  it('shows its authors, times, kinds of change, and the requests', async () => {
    await using bench = await open();
    await talk(bench.store, 'one', [
      user('Why does login fail?'),
      toolCall('read', { file_path: `${TOP}/src/auth.ts` }),
      toolResult('read', '1: code'),
      user('Fix it.'),
      ...edit('src/auth.ts'),
      assistant('Done.'),
    ]);
    const { touches, matched, more } = await fileHistory(bench.store, PROJECT, 'src/auth.ts');
    expect(touches).toMatchObject([
      { session: 'one', operation: 'edited', tool: 'edit', path: 'src/auth.ts', agent: 'Sally', seq: 7 },
      {
        session: 'one',
        operation: 'read',
        tool: 'read',
        path: 'src/auth.ts',
        request: { text: 'Why does login fail?' },
      },
    ]);
    expect(touches[0]!.request).toMatchObject({ text: 'Fix it.' });
    expect([matched, more]).toEqual(['path', false]);
  });

  it('knows a file by every name it had, also from where the project was before', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const [old, now] = [path.join(temp.path, 'old'), path.join(temp.path, 'new')];
    mkdirSync(now);
    const project = await linkFolder(bench.store, await openProject(bench.store, unknownProject(old)), now);
    await talk(bench.store, 'a', [user('1'), ...edit(`${old}/src/a.ts`)], old);
    await talk(bench.store, 'b', [user('2'), ...edit(`${now}/src/a.ts`)], now);
    await talk(bench.store, 'c', [user('3'), ...edit('./src/../src/a.ts')], project.id);
    await talk(bench.store, 'd', [user('4'), ...edit('a.ts')], `${now}/src`);
    await talk(bench.store, 'e', [user('5'), ...edit('a.ts')], now);
    expect((await touched(bench.store, 'src/a.ts', project)).sort()).toEqual([
      'a edited src/a.ts: 1',
      'b edited src/a.ts: 2',
      'c edited src/a.ts: 3',
      'd edited src/a.ts: 4',
    ]);
  });

  it('is one for all work trees of a repository', async () => {
    await using bench = await open();
    using temp = tempFolder();
    const shop = makeRepository(temp.path, 'shop');
    const tree = path.join(temp.path, 'tree');
    git(shop, 'worktree', 'add', '-q', tree);
    const project = await projectAt(bench.store, shop);
    await talk(bench.store, 'main', [user('1'), ...edit(`${shop}/a.ts`)], shop);
    await talk(bench.store, 'other', [user('2'), ...edit(`${tree}/a.ts`)], tree);
    const asked = async (folder: string) =>
      (await fileHistory(bench.store, project, 'a.ts', { folder })).touches.map(({ path: name }) => name);
    expect([await asked(shop), await asked(tree)]).toEqual([
      ['a.ts', 'a.ts'],
      ['a.ts', 'a.ts'],
    ]);
  });

  it('of a folder is that of everything in it, and of no other that begins like it', async () => {
    await using bench = await open();
    await talk(bench.store, 'one', [
      user('Go.'),
      ...edit('src/a.ts'),
      ...edit('src/deep/b.ts'),
      ...edit('src2/c.ts'),
      ...edit('/elsewhere/src/d.ts'),
    ]);
    expect(await touched(bench.store, 'src')).toEqual([
      'one edited src/deep/b.ts: Go.',
      'one edited src/a.ts: Go.',
    ]);
    expect(await touched(bench.store, '.')).toHaveLength(3);
  });

  it('shows paths that end like it when nothing is known of the path itself, and says so', async () => {
    await using bench = await open();
    await talk(bench.store, 'one', [user('Go.'), ...edit('packages/api/src/a.ts'), ...edit('other.ts')]);
    const history = await fileHistory(bench.store, PROJECT, 'src/a.ts');
    expect([history.matched, history.touches.map(({ path: name }) => name)]).toEqual([
      'end',
      ['packages/api/src/a.ts'],
    ]);
  });

  it('does not count what failed, but a command did what it did', async () => {
    await using bench = await open();
    await talk(bench.store, 'one', [
      user('Go.'),
      toolCall('edit', { file_path: 'a.ts' }),
      toolResult('edit', 'no such text', { failed: true }),
      ...shell('rm a.ts && false', { exitCode: 1, output: '' }),
      toolCall('write', { file_path: 'a.ts', content: 'x' }, { id: 'w' }),
      toolResult('write', 'created the file', { id: 'w' }),
    ]);
    expect(await touched(bench.store, 'a.ts')).toEqual(['one created a.ts: Go.', 'one deleted a.ts: Go.']);
  });

  it('is not changed by compacting, and reads values too large for an entry', async () => {
    await using bench = await open();
    const patch = `*** Begin Patch\n*** Add File: first.ts\n${'+ line\n'.repeat(8000)}*** Update File: last.ts\n*** End Patch`;
    await talk(bench.store, 'one', [
      user('Go.'),
      ...edit('a.ts'),
      toolCall('apply_patch', { input: patch }),
      toolResult('apply_patch', 'ok'),
    ]);
    await bench.store.append('one', [{ body: compaction({ covers: { from: 3, to: 5 } }) }]);
    expect(await touched(bench.store, 'a.ts')).toEqual(['one edited a.ts: Go.']);
    expect(await touched(bench.store, 'last.ts')).toEqual(['one edited last.ts: Go.']);
  });

  it('counts what a fork shares with its parent once, with the request from before the fork', async () => {
    await using bench = await open();
    const { store } = bench;
    await talk(store, 'one', [user('Go.'), ...edit('a.ts')]);
    const fork = await forkSession(store, (await store.session('one'))!, { id: 'fork' });
    await store.append(
      fork.id,
      edit('a.ts').map((body) => ({ body })),
    );
    expect((await touched(store, 'a.ts')).sort()).toEqual(['fork edited a.ts: Go.', 'one edited a.ts: Go.']);
    // The parent belongs to another project now: then the fork tells it all.
    await store.append('one', [{ body: { kind: 'setting', name: 'project', value: '/other', by: 'user' } }]);
    expect(await touched(store, 'a.ts')).toEqual(['fork edited a.ts: Go.', 'fork edited a.ts: Go.']);
  });

  it('is the newest part when there is more, and says so', async () => {
    await using bench = await open();
    for (const id of ['old', 'new']) {
      await talk(bench.store, id, [user('Go.'), ...edit('a.ts'), ...edit('a.ts')]);
      bench.clock.advance(10_000);
    }
    const { touches, more } = await fileHistory(bench.store, PROJECT, 'a.ts', { limit: 1 });
    expect([touches.map(({ session }) => session), more]).toEqual([['new'], true]);
  });
});

/** Sessions that touch a few files in every way there is. */
const anyTalk: fc.Arbitrary<EntryBody[]> = fc
  .array(
    fc.oneof(
      fc.constantFrom('Go on.', 'Look at auth.ts, please.').map((text) => [user(text)]),
      fc
        .tuple(
          fc.constantFrom(
            'src/auth.ts',
            'auth.ts',
            `${TOP}/src/auth.ts`,
            'src/Makefile',
            'src/größe.md',
            'src/my file.txt',
          ),
          fc.constantFrom('edit', 'read', 'write'),
          fc.boolean(),
        )
        .map(([file, tool, failed]) => [
          toolCall(tool, { file_path: file }),
          toolResult(tool, 'ok', { failed }),
        ]),
      fc
        .constantFrom(
          'cd src && cat auth.ts',
          'cat > src/auth.ts <<EOF\nx\nEOF',
          'rm -f src/Makefile',
          'ls src',
        )
        .map((command) => shell(command)),
      fc.constant([toolCall('edit', { file_path: 'src/auth.ts' })]),
      fc.constant([assistant('I changed src/auth.ts and src/Makefile.')]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat());

it('is the same with an index and without one', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyTalk, fc.constantFrom(TOP, `${TOP}/src`)), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(
        'src/auth.ts',
        'src',
        'src/Makefile',
        'src/größe.md',
        'src/my file.txt',
        '.',
        'auth.ts',
      ),
      async (talks, file) => {
        const clock = fixedClock();
        await using store = createMemoryStore({ now: clock.now });
        for (const [n, [bodies, folder]] of talks.entries()) {
          await talk(store, `s${n}`, bodies, folder);
          clock.advance(1);
        }
        await using recall = await openRecall(store, { embedder: 'none' });
        await recall.catchUp();
        const { read: all, ...scanned } = await fileHistory(store, PROJECT, file);
        const { read: some, ...indexed } = await fileHistory(store, PROJECT, file, { recall });
        expect(indexed).toEqual(scanned);
        expect(some).toBeLessThanOrEqual(all);
      },
    ),
    { numRuns: 60 },
  );
});

it('reads no log to its end when an index can tell', async () => {
  await using store = createMemoryStore();
  for (let n = 0; n < 5; n++)
    await talk(store, `s${n}`, [user('Go.'), ...edit(n === 3 ? 'src/auth.ts' : 'src/b.ts')]);
  await using recall = await openRecall(store, { embedder: 'none' });
  await recall.catchUp();
  const { read, touches } = await fileHistory(store, PROJECT, 'src/auth.ts', { recall });
  expect([read, touches.map(({ session }) => session)]).toEqual([0, ['s3']]);
});

it('reads those who work inside a folder, and so need not name it, whatever the index says', async () => {
  await using store = createMemoryStore();
  await talk(store, 'inside', [user('Go.'), ...edit('auth.ts')], `${TOP}/src`);
  await talk(store, 'outside', [user('Go.'), ...edit('src/auth.ts')]);
  await using recall = await openRecall(store, { embedder: 'none' });
  await recall.catchUp();
  const { read, touches } = await fileHistory(store, PROJECT, 'src', { recall });
  expect([read, touches.map(({ session }) => session).sort()]).toEqual([1, ['inside', 'outside']]);
});
