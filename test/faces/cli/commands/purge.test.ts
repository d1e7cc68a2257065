import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forkSession, trashSession } from '../../../../src/session/index.ts';
import { user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

async function trashed(): Promise<Machine> {
  const machine = createMachine();
  await machine.session({ id: 'gone', title: 'Secret plan' }, (session) =>
    session.append([user('one'), user('two')]),
  );
  await machine.session({ id: 'stays' });
  await machine.change((store) => trashSession(store, 'gone'));
  return machine;
}

/** What is left in the trash. */
async function idsOf(machine: Machine): Promise<string[]> {
  await using store = await machine.open();
  return (await store.list({ place: 'trashed', limit: 10 })).sessions.map(({ id }) => id);
}

describe('throughline purge', () => {
  it('says what would go, and deletes nothing, with --dry-run', async () => {
    using machine = await trashed();
    const { stdout } = await machine.run(['purge', 'gone', '--dry-run']);
    expect(stdout).toBe(
      'Would be deleted for good:\n  gone  Secret plan  (4 entries of its own, 2 messages in all)\n',
    );
    expect(await machine.json('purge', 'gone', '--dry-run')).toEqual([
      { id: 'gone', title: 'Secret plan', entries: 4, purged: false },
    ]);
    expect(await idsOf(machine)).toEqual(['gone']);
  });

  it('needs --yes without a terminal', async () => {
    using machine = await trashed();
    for (const args of [
      ['purge', 'gone'],
      ['purge', 'gone', '--json'],
    ]) {
      const { stderr, code } = await machine.run(args, { input: 'y\n' });
      expect(stderr).toContain('Nothing was purged');
      expect(code).toBe(2);
    }
    expect(await idsOf(machine)).toEqual(['gone']);
  });

  it.each([
    { answer: 'y\n', left: [], code: 0 },
    { answer: 'yes\n', left: [], code: 0 },
    { answer: 'n\n', left: ['gone'], code: 54 },
    { answer: '\n', left: ['gone'], code: 54 },
    { answer: '', left: ['gone'], code: 54 },
  ])('asks in a terminal, and takes $answer for an answer', async ({ answer, left, code }) => {
    using machine = await trashed();
    const ran = await machine.run(['purge', 'gone'], { columns: 80, input: answer, env: { NO_COLOR: '1' } });
    expect(ran.stderr).toContain('gone  Secret plan');
    expect(ran.stderr).toContain('Purge 1 session? It cannot be undone.');
    expect(ran.code).toBe(code);
    expect(await idsOf(machine)).toEqual(left);
  });

  it('deletes for good, and the last list forgets it too', async () => {
    using machine = await trashed();
    await machine.run(['sessions', '--trashed']);
    const [report] = await machine.json<object[]>('purge', 'gone', '--yes');
    expect(report).toMatchObject({
      id: 'gone',
      entries: 4,
      blobs: 0,
      bytes: expect.any(Number),
      purged: true,
    });
    expect((await machine.run(['show', 'gone'])).code).toBe(17);
    // The store keeps the id, and when it was purged.
    expect(readFileSync(machine.storeFile, 'latin1')).not.toContain('Secret plan');
    expect(readFileSync(`${machine.storeFile}-lists.json`, 'latin1')).not.toMatch(/Secret plan|gone/);
  });

  it('purges a session together with its forks, whatever the order they are named in', async () => {
    using machine = await trashed();
    {
      await using store = await machine.open();
      const fork = await forkSession(store, (await store.session('gone'))!, { id: 'fork' });
      await forkSession(store, fork, { id: 'fork-of-fork' });
      for (const id of ['fork', 'fork-of-fork']) await trashSession(store, id);
    }
    const purged = await machine.json<{ id: string }[]>('purge', 'gone', 'fork-of-fork', 'fork', '--yes');
    expect(purged.map(({ id }) => id)).toEqual(['fork-of-fork', 'fork', 'gone']);
    expect(await idsOf(machine)).toEqual([]);
  });

  it('purges nothing of a batch if one of it cannot go', async () => {
    using machine = await trashed();
    const refused = await machine.run(['purge', 'gone', 'stays', '--yes']);
    expect(refused.code).toBe(15);
    {
      await using store = await machine.open();
      await forkSession(store, (await store.session('gone'))!, { id: 'fork' });
      await trashSession(store, 'stays');
    }
    const shared = await machine.run(['purge', 'stays', 'gone', '--yes']);
    expect(shared).toMatchObject({
      code: 14,
      stderr: expect.stringContaining('fork shares the entries of session "gone"'),
    });
    expect((await idsOf(machine)).sort()).toEqual(['gone', 'stays']);
  });
});
