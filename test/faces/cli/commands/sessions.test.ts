import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../src/faces/cli/terminal/text-width.ts';
import { emptySummary } from '../../../../src/record/index.ts';
import {
  forkSession,
  hideSession,
  resumeSession,
  type SessionDescription,
  trashSession,
} from '../../../../src/session/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

/** Three sessions, the oldest first. */
async function threeSessions(machine: Machine): Promise<void> {
  await machine.session({ id: 'oldest', agent: 'dev', project: 'shop', tags: ['auth'] }, (session) =>
    session.append([user('How do tokens expire?'), assistant('After an hour.')]),
  );
  await machine.session({ id: 'middle', title: 'Plan' }, (session) => session.append([user('Plan it')]));
  await machine.session({ id: 'newest', tags: ['auth'] }, (session) => session.append([user('Go on')]));
}

const linesOf = (text: string) => text.split('\n').filter(Boolean);

describe('throughline sessions', () => {
  it('lists the newest first, numbered, with titles, counts and tags', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    const { stdout, code } = await machine.run(['sessions']);
    const [titles, ...lines] = linesOf(stdout);
    expect(titles).toMatch(/^#\s+Session\s+Updated\s+Messages\s+Project\s+Title$/);
    expect(lines[0]).toMatch(/^1 {2}newest +just now +1 +Go on \[auth\]$/);
    expect(lines[1]).toMatch(/^2 {2}middle +just now +1 +Plan$/);
    expect(lines[2]).toMatch(/^3 {2}oldest +just now +2 +shop +How do tokens expire\? \[auth\]$/);
    expect(code).toBe(0);
  });

  it('prints the agreed fields as JSON', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    const sessions = await machine.json<SessionDescription[]>('sessions');
    expect(sessions.map(({ id }) => id)).toEqual(['newest', 'middle', 'oldest']);
    expect(sessions[2]).toEqual({
      id: 'oldest',
      title: 'How do tokens expire?',
      agent: 'dev',
      project: 'shop',
      parent: null,
      relation: null,
      messages: 2,
      queries: 1,
      tokens: expect.any(Number),
      tags: ['auth'],
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
  });

  it('makes no store just to say that there are no sessions yet', async () => {
    using machine = createMachine();
    const people = await machine.run(['sessions']);
    expect(people).toMatchObject({ stdout: '', stderr: 'No sessions yet.\n', code: 0 });
    expect(await machine.json('sessions')).toEqual([]);
    expect((await machine.run(['doctor'])).stdout).toContain('There is no store');
  });

  it.each([
    { options: ['--tag', 'auth'], ids: ['newest', 'oldest'], said: 'Only tag "auth": 1 other is not shown.' },
    { options: ['--project', 'shop'], ids: ['oldest'], said: 'Only project "shop": 2 others are not shown.' },
    {
      options: ['--agent', 'dev', '--tag', 'auth'],
      ids: ['oldest'],
      said: 'Only tag "auth" and agent "dev": 2 others are not shown.',
    },
    { options: ['--find', 'ÁUT'], ids: ['newest', 'oldest'], said: 'Only title or tag "ÁUT": 1 other is' },
    { options: ['--find', 'aut', '--project', 'shop'], ids: ['oldest'], said: '2 others are not shown' },
    { options: ['--project', 'nope'], ids: [], said: 'No session fits project "nope".' },
    { options: ['--tag', 'nope'], ids: [], said: 'No session fits tag "nope".' },
  ])('says what $options hides', async ({ options, ids, said }) => {
    using machine = createMachine();
    await threeSessions(machine);
    const { stdout, stderr } = await machine.run(['sessions', ...options]);
    expect(
      linesOf(stdout)
        .slice(1)
        .map((line) => line.split(/ +/)[1]),
    ).toEqual(ids);
    expect(stderr).toContain(said);
    expect((await machine.json<{ id: string }[]>('sessions', ...options)).map(({ id }) => id)).toEqual(ids);
  });

  it('goes on where a short list ended', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    const first = await machine.run(['sessions', '--limit', '2']);
    const cursor = /2 of 3 shown\. More: --cursor (\S+), or --all\./.exec(first.stderr)?.[1];
    const rest = await machine.json<{ id: string }[]>('sessions', '--cursor', cursor!);
    expect(rest.map(({ id }) => id)).toEqual(['oldest']);
    const all = await machine.run(['sessions', '--all']);
    expect(linesOf(all.stdout)).toHaveLength(4);
    const limited = await machine.run(['sessions', '--limit', '2', '--json']);
    expect(JSON.parse(limited.stdout)).toHaveLength(2);
    expect(JSON.parse(limited.stderr)).toEqual({ cursor });
  });

  it('says how many are hidden and in the trash, and lists those', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    {
      await using store = await machine.open();
      await hideSession(store, 'oldest');
      await trashSession(store, 'middle');
    }
    const { stderr } = await machine.run(['sessions']);
    expect(stderr).toContain('1 hidden and 1 in the trash are not shown (--hidden, --trashed).');
    expect((await machine.json<{ id: string }[]>('sessions', '--hidden')).map(({ id }) => id)).toEqual([
      'oldest',
    ]);
    expect((await machine.json<{ id: string }[]>('sessions', '--trashed')).map(({ id }) => id)).toEqual([
      'middle',
    ]);
    expect((await machine.run(['sessions', '--hidden', '--trashed'])).code).toBe(2);
  });

  it('leaves out sessions in which nothing was said, unless they have a title, and says how many', async () => {
    using machine = createMachine();
    await machine.session({ id: 'spoken', title: 'Plan' }, async (session) => {
      await session.append([user('Plan it')]);
      const summary = emptySummary('A plan');
      await using _ = await resumeSession(session.store, session.info, { summary, birth: { id: 'left' } });
    });
    await machine.session({ id: 'made-by-a-program' }, async () => {});
    await machine.session({ id: 'announced', title: 'For tomorrow' }, async () => {});
    const { stdout, stderr } = await machine.run(['sessions']);
    const ids = linesOf(stdout)
      .slice(1)
      .map((line) => line.split(/ +/)[1]);
    expect(ids.sort()).toEqual(['announced', 'spoken']);
    expect(stderr).toContain('Nothing was said in 2 more sessions (--all).');
    expect(linesOf((await machine.run(['sessions', '--all'])).stdout)).toHaveLength(5);
    expect(await machine.json('sessions')).toHaveLength(4);
  });

  it('draws who came from whom', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    {
      await using store = await machine.open();
      const fork = await forkSession(store, (await store.session('oldest'))!, { id: 'fork', at: 4 });
      await forkSession(store, fork, { id: 'fork-of-fork' });
      await forkSession(store, (await store.session('oldest'))!, { id: 'second' });
    }
    const { stdout } = await machine.run(['sessions', '--tree', 'fork']);
    expect(
      linesOf(stdout)
        .slice(1)
        .map((line) => line.split(/ {2,}/).slice(0, 2).join('  ')),
    ).toEqual(['1  oldest', '2  ├ fork', '3  │ └ fork-of-fork', '4  └ second']);
    expect(stdout).toMatch(/fork-of-fork +fork at 4/);
    // The tree is a list too: its numbers hold.
    expect((await machine.json<{ session: { id: string } }>('show', '3')).session.id).toBe('fork-of-fork');
    const trees = await machine.json<{ id: string; children: { id: string }[] }[]>('sessions', '--tree');
    expect(trees.map(({ id }) => id).sort()).toEqual(['middle', 'newest', 'oldest']);
    const family = trees.find(({ id }) => id === 'oldest')!;
    expect(family.children.map(({ id }) => id)).toEqual(['fork', 'second']);
  });

  it('draws a chain of resumed sessions straight down', async () => {
    using machine = createMachine();
    await machine.session({ id: 'first' });
    await machine.change(async (store) => {
      for (const [parent, id] of [
        ['first', 'second'],
        ['second', 'third'],
      ] as const) {
        const options = { summary: emptySummary('So far.'), birth: { id } };
        await (await resumeSession(store, (await store.session(parent))!, options)).close();
      }
      await forkSession(store, (await store.session('third'))!, { id: 'branch' });
    });
    const { stdout } = await machine.run(['sessions', '--tree', 'third']);
    expect(
      linesOf(stdout)
        .slice(1)
        .map((line) => line.split(/ {2,}/).slice(1, 3)),
    ).toEqual([
      ['first', 'just now'],
      ['second', 'resumed'],
      ['third', 'resumed'],
      ['└ branch', expect.stringMatching(/^fork at \d+$/)],
    ]);
  });

  it('fits a terminal, wide or narrow, whatever the titles hold', async () => {
    using machine = createMachine();
    await machine.session({
      id: 'wide',
      title: '認証モジュールを直してトークンの期限を短くする作業についての長いメモ 👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
    });
    await machine.session({ id: `long-${'x'.repeat(100)}`, title: 'word '.repeat(50) });
    await machine.session({ id: 'evil', title: 'a\u001b[2Jb\u0007\nc' });
    const { stdout } = await machine.run(['sessions'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(linesOf(stdout)).toHaveLength(4);
    expect(linesOf(stdout).filter((line) => textWidth(line) > 80)).toEqual([]);
    for (const columns of [44, 34]) {
      const narrow = await machine.run(['sessions'], { columns, env: { NO_COLOR: '1' } });
      expect(linesOf(narrow.stdout)).toHaveLength(4);
      expect(linesOf(narrow.stdout).filter((line) => textWidth(line) > columns)).toEqual([]);
    }
    expect(stdout).toContain('a␛[2Jb␇ c');
    expect(stdout).toMatch(/認証モジュール.*…/);
  });

  it('uses colour in a terminal only, and not with NO_COLOR', async () => {
    using machine = createMachine();
    await threeSessions(machine);
    const colour = '\u001b[';
    expect((await machine.run(['sessions'], { columns: 80 })).stdout).toContain(colour);
    expect((await machine.run(['sessions'], { columns: 80, env: { NO_COLOR: '1' } })).stdout).not.toContain(
      colour,
    );
    const piped = await machine.run(['sessions']);
    expect(piped.stdout + piped.stderr).not.toContain(colour);
  });
});

describe('a list on a screen of 100 columns', () => {
  it('shows what sessions are about: names of folders, starts of ids, and most of the title', async () => {
    using machine = createMachine();
    const title = 'Where are the tokens checked, and who';
    for (const n of [1, 2])
      await machine.session({
        id: `39ff5fa${n}-5d1c-4c0e-9d5e-0d8c1a2b3c4d`,
        title,
        project: `/home/somebody/long/way/to/the-project-${n}`,
      });
    const { stdout } = await machine.run(['sessions'], { columns: 100, env: { NO_COLOR: '1' } });
    const [, first] = stdout.split('\n');
    expect(first).toContain('39ff5fa2-5d1c-4c0e');
    expect(first).toContain('the-project-2');
    expect(first).toContain(title.slice(0, 26));
    expect(first!.length).toBeLessThanOrEqual(100);
  });
});
