import { describe, expect, it } from 'vitest';
import { user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

describe('throughline title', () => {
  it('gives a title, which then is a name', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one' }, (session) => session.append([user('First question')]));
    const { stdout } = await machine.run(['title', 'one', 'Refactor', 'auth']);
    expect(stdout).toBe('one  Refactor auth\n');
    expect(await machine.json('show', 'refactor AUTH')).toMatchObject({ session: { id: 'one' } });
  });

  it('takes it off again with an empty one', async () => {
    using machine = createMachine();
    await machine.session({ id: 'one', title: 'Given' }, (session) =>
      session.append([user('First question')]),
    );
    expect(await machine.json('title', 'one', '')).toMatchObject({ id: 'one', title: 'First question' });
  });
});
