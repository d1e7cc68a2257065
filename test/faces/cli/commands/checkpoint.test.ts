import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

const words = 'This has to be handled with care because so many things depend on it. '.repeat(20);

async function withVersions(...keeps: string[]) {
  const machine = createMachine();
  await machine.session({ id: 'talk' }, async (session) => {
    for (let n = 1; n <= 8; n++)
      await session.append([
        user(`Please fix src/part-${n}.ts. ${words}`),
        assistant(`Fixed src/part-${n}.ts. We decided to use plan ${n} instead of waiting. ${words}`),
      ]);
  });
  for (const keep of keeps) await machine.json('compact', 'talk', '--keep', keep);
  return machine;
}

describe('throughline checkpoint', () => {
  it('compares two versions, with --diff and without', async () => {
    using machine = await withVersions('8', '2');
    const changes = await machine.json<unknown[]>('checkpoint', 'talk', '--diff', '1', '2');
    expect(changes).not.toEqual([]);
    expect(await machine.json('checkpoint', 'talk', '1', '2')).toEqual(changes);
  });

  it('goes back to the version before the last unless one is named, and says which', async () => {
    using machine = await withVersions('10', '6', '2');
    const { stdout } = await machine.run(['checkpoint', 'talk', '--restore']);
    expect(stdout).toMatch(/^Version 2 is the current one again, as version 4\.\n/);
    const named = await machine.run(['checkpoint', 'talk', '1', '--restore']);
    expect(named.stdout).toMatch(/^Version 1 is the current one again, as version 5\.\n/);
  });

  it('says when there is no version to go back to', async () => {
    using none = await withVersions();
    const empty = await none.run(['checkpoint', 'talk', '--restore']);
    expect([empty.code, empty.stderr]).toEqual([
      22,
      expect.stringContaining('no version of its checkpoint yet'),
    ]);
    using one = await withVersions('4');
    const only = await one.run(['checkpoint', 'talk', '--restore']);
    expect([only.code, only.stderr]).toEqual([22, expect.stringContaining('none to go back to')]);
    const beyond = await one.run(['checkpoint', 'talk', '7', '--restore']);
    expect(beyond.stderr).toContain('has 1 checkpoint version; there is no 7');
  });

  it.each([
    [['--restore', '--diff']],
    [['--restore', '--history']],
    [['--restore', '1', '2']],
    [['--history', '1']],
    [['1', '2', '1']],
  ])('refuses %j, which cannot be meant, and changes nothing', async (args) => {
    using machine = await withVersions('8', '2');
    expect((await machine.run(['checkpoint', 'talk', ...args])).code).toBe(2);
    expect(await machine.json<unknown[]>('checkpoint', 'talk', '--history')).toHaveLength(2);
  });
});
