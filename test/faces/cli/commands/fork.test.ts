import { describe, expect, it } from 'vitest';
import { user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

async function withParent() {
  const machine = createMachine();
  await machine.session({ id: 'parent', title: 'Plan A' }, (session) =>
    session.append([user('one'), user('two'), user('three')]),
  );
  return machine;
}

describe('throughline fork', () => {
  it('prints the new id alone to stdout, and how to look at it beside', async () => {
    using machine = await withParent();
    const { stdout, stderr, code } = await machine.run(['fork', 'parent', '--id', 'child']);
    expect(stdout).toBe('child\n');
    expect(stderr).toContain('Forked from parent at entry 4 of 4.');
    expect(stderr).toContain('throughline show child');
    expect(code).toBe(0);
  });

  it('shares the parent up to an entry and leaves it as it is', async () => {
    using machine = await withParent();
    const before = await machine.json('show', 'parent');
    const fork = await machine.json<{ id: string }>('fork', 'parent', '--at', '3', '--title', 'Plan B');
    expect(fork).toMatchObject({
      title: 'Plan B',
      parent: 'parent',
      relation: 'fork',
      messages: 2,
      forkedAt: 3,
    });
    expect(await machine.json('show', 'parent')).toEqual(before);
    const shown = await machine.json<{ entries: { seq: number }[] }>('show', fork.id);
    expect(shown.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it('takes the id of an entry too', async () => {
    using machine = await withParent();
    const { entries } = await machine.json<{ entries: { id: string }[] }>('show', 'parent');
    expect(await machine.json('fork', 'parent', '--at', entries[1]!.id)).toMatchObject({
      forkedAt: 2,
      messages: 1,
    });
  });
});
