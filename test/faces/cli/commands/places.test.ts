import { describe, expect, it } from 'vitest';
import { trashSession } from '../../../../src/session/index.ts';
import { createMachine } from '../command-line.ts';

interface Placed {
  id: string;
  place: string;
}

const places = (sessions: readonly Placed[]) => sessions.map(({ id, place }) => [id, place]);

describe('throughline hide, trash and restore', () => {
  it('move several sessions out of the list and back', async () => {
    using machine = createMachine();
    for (const id of ['one', 'two', 'three']) await machine.session({ id });
    expect(places(await machine.json('hide', 'one', 'two'))).toEqual([
      ['one', 'archived'],
      ['two', 'archived'],
    ]);
    expect(places(await machine.json('trash', 'three'))).toEqual([['three', 'trashed']]);
    expect(await machine.json('sessions')).toEqual([]);
    expect(places(await machine.json('restore', 'one', 'three'))).toEqual([
      ['one', 'active'],
      ['three', 'active'],
    ]);
    expect(await machine.json('sessions')).toHaveLength(2);
  });

  it('say where each session is now', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', title: 'Plan' });
    expect((await machine.run(['hide', 'one'])).stdout).toBe('one is hidden  Plan\n');
    expect((await machine.run(['trash', 'one'])).stdout).toBe('one is in the trash  Plan\n');
    expect((await machine.run(['restore', 'one'])).stdout).toBe('one is in the list  Plan\n');
  });

  it('write nothing for a session that is there already', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    await machine.run(['trash', 'one']);
    await machine.run(['trash', 'one']);
    expect((await machine.json<{ entries: unknown[] }>('show', 'one')).entries).toHaveLength(1);
  });

  it('take the numbers of the list in front of one', async () => {
    using machine = createMachine();
    for (const id of ['one', 'two', 'three']) await machine.session({ id });
    await machine.change((store) => Promise.all(['one', 'two'].map((id) => trashSession(store, id))));
    await machine.run(['sessions', '--trashed']);
    const [restored] = await machine.json<Placed[]>('restore', '2');
    expect(restored).toMatchObject({ id: 'one', place: 'active' });
  });
});
