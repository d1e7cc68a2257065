import { describe, expect, it } from 'vitest';
import { createMachine } from '../command-line.ts';

interface Tagged {
  id: string;
  tags: string[];
}

describe('throughline tag', () => {
  it('adds and removes tags of several sessions at once', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', tags: ['old'] });
    await machine.session({ id: 'two' });
    const tagged = await machine.json<Tagged[]>(
      'tag',
      'one',
      'two',
      '--add',
      'auth, urgent',
      '--remove',
      'old',
    );
    expect(tagged.map(({ id, tags }) => [id, tags])).toEqual([
      ['one', ['auth', 'urgent']],
      ['two', ['auth', 'urgent']],
    ]);
    expect(await machine.json('sessions', '--tag', 'urgent')).toHaveLength(2);
  });

  it('lists the tags without any option', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', tags: ['auth', 'two words'] });
    await machine.session({ id: 'longer' });
    const { stdout } = await machine.run(['tag', 'one', 'longer']);
    expect(stdout).toBe('one     auth, two words\nlonger  (no tags)\n');
  });

  it('looks at the list of another shell, and changes nothing by it', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', tags: ['auth'] });
    const one = { THROUGHLINE_SHELL_PID: '1001' };
    const other = { THROUGHLINE_SHELL_PID: '1002' };
    await machine.run(['sessions', '--all'], { env: one });
    expect((await machine.run(['tag', '1'], { env: other })).stdout).toBe('one  auth\n');
    const refused = await machine.run(['tag', '1', '2'], { env: other });
    expect([refused.code, refused.stderr.includes('To add tags')]).toEqual([10, false]);
    expect((await machine.run(['tag', '1', '--add', 'new'], { env: other })).code).toBe(10);
    expect(await machine.json<Tagged[]>('tag', 'one')).toMatchObject([{ tags: ['auth'] }]);
  });

  it('writes nothing that is there already', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', tags: ['auth'] });
    await machine.run(['tag', 'one', '--add', 'auth', '--remove', 'missing']);
    expect((await machine.json<{ entries: unknown[] }>('show', 'one')).entries).toHaveLength(1);
  });

  it('changes nothing if one of the sessions cannot be found', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    const { code } = await machine.run(['tag', 'one', 'nobody', '--add', 'auth']);
    expect(code).toBe(10);
    expect(await machine.json<Tagged[]>('tag', 'one')).toMatchObject([{ tags: [] }]);
  });

  it('knows what "tag 1 auth" was meant to be', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    const { stderr, code } = await machine.run(['tag', 'one', 'auth', 'urgent']);
    expect(stderr).toContain('"throughline tag one --add auth,urgent"');
    expect(code).toBe(2);
  });
});
