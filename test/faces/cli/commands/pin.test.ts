import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

/** Entry 1 is a setting. */
async function withTalk() {
  const machine = createMachine();
  await machine.session({ id: 'talk', settings: { model: 'anthropic:claude-sonnet-4-5' } }, (session) =>
    session.append([user('Which port?'), assistant('8080.'), user('And the host?')]),
  );
  return machine;
}

describe('throughline pin', () => {
  it('refuses entries that are never sent', async () => {
    using machine = await withTalk();
    for (const more of [[], ['--exclude']]) {
      const { code, stderr } = await machine.run(['pin', 'talk', '1', ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Entry 1 is a setting, and only messages')]);
    }
    expect(await machine.json('pin', 'talk', '1-2')).toMatchObject({ pinned: [{ from: 1, to: 2 }] });
    expect(await machine.json('pin', 'talk', '1', '--remove')).toMatchObject({
      pinned: [{ from: 2, to: 2 }],
    });
  });

  it.each(['foo', '0', '4-2'])('says what it takes instead of "%s"', async (entries) => {
    using machine = await withTalk();
    const { code, stderr } = await machine.run(['pin', 'talk', entries]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'the number of an entry, from 1 on, a range with the older one first (12-15), or an id',
    );
  });

  it('says when a pin does nothing because the entry is left out', async () => {
    using machine = await withTalk();
    await machine.json('pin', 'talk', '3-4', '--exclude');
    const { stdout } = await machine.run(['pin', 'talk', '2-3']);
    expect(stdout).toContain('Both pinned and left out, so the model does not see it: entry 3.');
    const { stdout: after } = await machine.run(['pin', 'talk', '3', '--exclude', '--remove']);
    expect(after).not.toContain('Both pinned');
  });
});

describe('the lists of pinned and left out entries', () => {
  it('are both shown when looked at, and an empty one not behind a change of the other', async () => {
    using machine = await withTalk();
    const run = async (...args: string[]) => (await machine.run(['pin', 'talk', ...args])).stdout;
    expect(await run()).toBe('Nothing is pinned.\nNothing is left out.\n');
    expect(await run('2-3')).toBe('pinned: entries 2–3\n');
    expect(await run('2-3', '--remove')).toBe('Nothing is pinned.\n');
    expect(await run('4', '--exclude')).toBe('left out: entry 4\n');
    expect(await run('2')).toBe('pinned: entry 2\nleft out: entry 4\n');
  });
});

describe('an amount', () => {
  it('may be nothing, and says so', async () => {
    using machine = await withTalk();
    const { stderr } = await machine.run(['context', 'talk', '--recall', '-1']);
    expect(stderr).toContain('a whole number from 0 on');
  });
});
