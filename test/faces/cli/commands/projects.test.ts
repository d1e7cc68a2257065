import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { user } from '../../../../src/testing/index.ts';
import { git, makeFolder, makeRepository } from '../../../project/benches.ts';
import { createMachine } from '../command-line.ts';

interface Listed {
  id: string | null;
  name: string;
  folder: string;
  there: boolean;
  sessions: number;
}

describe('throughline projects', () => {
  it('lists projects of sessions and registered ones, and whether their folders exist', async () => {
    using machine = createMachine();
    const shop = makeRepository(machine.home, 'shop');
    await machine.session({ id: 'a', project: shop });
    await machine.session({ id: 'b', project: '/gone/long/ago' });
    await machine.run(['memory', 'add', 'One'], { folder: shop });
    const listed = await machine.json<Listed[]>('projects');
    expect(
      listed.map(({ name, there, sessions, id }) => [name, there, sessions, id !== null]).sort(),
    ).toEqual([
      ['ago', false, 1, false],
      ['shop', true, 1, true],
    ]);
    const { stdout, stderr } = await machine.run(['projects']);
    expect(stdout).toContain('(gone) /gone/long/ago');
    expect(stderr).toContain('throughline projects link');
  });

  it('shows the sessions of one, numbered for the next command', async () => {
    using machine = createMachine();
    await machine.session({ id: 'a', project: '/gone/shop', title: 'About the shop' });
    const { stdout } = await machine.run(['projects', 'show', '/gone/shop']);
    expect(stdout).toContain('About the shop');
    expect((await machine.run(['show', '1'])).stdout).toContain('About the shop');
  });

  it('offers a moved folder its project and writes nothing until a decision', async () => {
    using machine = createMachine();
    const before = makeRepository(machine.home, 'shop');
    const after = path.join(machine.home, 'moved');
    await machine.run(['memory', 'add', 'One'], { folder: before });
    await machine.session({ id: 'a', project: before }, (session) => session.append([user('Apples?')]));
    renameSync(before, after);

    const looked = await machine.run(['memory'], { folder: after });
    expect(looked.stderr).toMatch(
      /This may be shop-\w+: it is the same repository, .* throughline projects link shop-/,
    );
    const refused = await machine.run(['memory', 'add', 'Two', '--json'], { folder: after });
    expect(refused.code).toBe(72);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'project-moved',
      details: { was: before, folder: after },
    });

    const linked = await machine.run(['projects', 'link', 'shop'], { folder: after });
    expect(linked.stdout).toContain(after);
    const shown = await machine.run(['memory', '--json'], { folder: after });
    expect(JSON.parse(shown.stdout).facts).toMatchObject([{ text: 'One' }]);
    expect(JSON.parse((await machine.run(['projects', '--json'], { folder: after })).stdout)).toMatchObject([
      { folder: after, there: true, sessions: 1 },
    ]);
    const [{ id }] = JSON.parse((await machine.run(['projects', '--json'])).stdout);
    await machine.session({ id: 'b', project: 'other' }, (session) => session.append([user('Apples!')]));
    for (const project of [id, id.slice(0, -1), 'shop', before, after, '.'])
      for (const args of [['sessions'], ['search', 'apples']]) {
        const { stdout } = await machine.run([...args, '--project', project, '--json'], { folder: after });
        expect(stdout).toMatch(/^\[\n\{"(?:id|session)":"a"/);
      }
  });

  it('makes a separate project on request', async () => {
    using machine = createMachine();
    const before = makeRepository(machine.home, 'shop');
    const after = path.join(machine.home, 'moved');
    await machine.run(['memory', 'add', 'One'], { folder: before });
    renameSync(before, after);
    await machine.run(['projects', 'add'], { folder: after });
    expect((await machine.run(['memory', 'add', 'Two'], { folder: after })).code).toBe(0);
    expect(await machine.json<Listed[]>('projects')).toHaveLength(2);
  });

  it('tells a second clone of the first, and shares one memory once they are linked', async () => {
    using machine = createMachine();
    const first = makeRepository(machine.home, 'shop');
    const second = path.join(machine.home, 'clone');
    git(machine.home, 'clone', '-q', first, second);
    await machine.run(['memory', 'add', 'One'], { folder: first });
    const looked = await machine.run(['memory'], { folder: second });
    expect(looked.stderr).toContain('Another copy of this repository is known as shop-');
    expect(looked.stdout).toContain('Nothing is known yet.');
    await machine.run(['projects', 'link', 'shop', second]);
    expect((await machine.run(['memory'], { folder: second })).stdout).toContain('One');
    expect((await machine.run(['memory'], { folder: first })).stdout).toContain('One');
  });

  it('links a name that sessions call a project, and refuses an unused one', async () => {
    using machine = createMachine();
    const shop = makeFolder(machine.home, 'shop');
    await machine.run(['memory', 'add', 'One'], { folder: shop });
    await machine.session({ id: 'a', project: 'the old shop' });
    await machine.run(['projects', 'link', 'shop', 'the old shop']);
    const listed = await machine.json<Listed[]>('projects');
    expect(listed).toMatchObject([{ name: 'shop', sessions: 1 }]);
    expect((await machine.run(['projects', 'link', 'shop', 'nobody says so'])).code).toBe(2);
    mkdirSync(path.join(machine.home, 'other'));
    await machine.run(['memory', 'add', 'Two'], { folder: path.join(machine.home, 'other') });
    const taken = await machine.run(['projects', 'link', 'shop', path.join(machine.home, 'other')]);
    expect(taken.stderr).toContain('which keeps what is known');
  });
});
