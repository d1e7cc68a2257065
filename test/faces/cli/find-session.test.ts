import { describe, expect, it } from 'vitest';
import { trashSession } from '../../../src/session/index.ts';
import { createMachine, type Machine } from './command-line.ts';

async function fourSessions(): Promise<Machine> {
  const machine = createMachine();
  await machine.session({ id: 'sally_20251230_112153', title: 'Refactor auth' });
  await machine.session({ id: 'sally_20251231_080000', title: 'Docs' });
  await machine.session({ id: 'dev_20251231_090000', title: 'docs' });
  await machine.session({ id: 'dev_20260101_100000', title: '2' });
  return machine;
}

const shown = async (machine: Machine, reference: string, env: Record<string, string> = {}) => {
  const { stdout, stderr, code } = await machine.run(['show', reference, '--json'], { env });
  return code === 0
    ? (JSON.parse(stdout) as { session: { id: string } }).session.id
    : JSON.parse(stderr).error;
};

describe('naming a session', () => {
  it.each([
    ['sally_20251230_112153', 'its id'],
    ['sally_20251230', 'the start of its id'],
    ['refactor AUTH', 'its title, in any case'],
  ])('%s finds it by %s', async (reference) => {
    using machine = await fourSessions();
    expect(await shown(machine, reference)).toBe('sally_20251230_112153');
  });

  it.each([
    ['sally', ['sally_20251231_080000', 'sally_20251230_112153'], 'two ids begin so'],
    ['DOCS', ['dev_20251231_090000', 'sally_20251231_080000'], 'two titles are so'],
  ])('%s is ambiguous and nothing is guessed: %s, because %s', async (reference, candidates) => {
    using machine = await fourSessions();
    const error = await shown(machine, reference);
    expect(error.code).toBe('session-ambiguous');
    expect(error.details.candidates.map(({ id }: { id: string }) => id)).toEqual(candidates);
  });

  it('shows the candidates to people', async () => {
    using machine = await fourSessions();
    const { stderr, code } = await machine.run(['show', 'sally']);
    expect(stderr).toContain('\n  sally_20251231_080000  Docs\n  sally_20251230_112153  Refactor auth\n');
    expect(code).toBe(11);
  });

  it('understands the numbers of the list that this shell saw', async () => {
    using machine = await fourSessions();
    const one = { THROUGHLINE_SHELL_PID: '1001' };
    const other = { THROUGHLINE_SHELL_PID: '1002' };
    await machine.run(['sessions'], { env: one });
    await machine.run(['sessions', '--limit', '1'], { env: other });
    expect(await shown(machine, '3', one)).toBe('sally_20251231_080000');
    expect(await shown(machine, '1', other)).toBe('dev_20260101_100000');
    expect(await shown(machine, '3', other)).toMatchObject({ code: 'session-not-found' });
  });

  it('changes nothing by the numbers of another shell, and by none that is not in the list', async () => {
    using machine = await fourSessions();
    await machine.session({ id: '3af0', title: 'Of another project' });
    const one = { THROUGHLINE_SHELL_PID: '1001' };
    const other = { THROUGHLINE_SHELL_PID: '1002' };
    await machine.run(['sessions', '--limit', '2'], { env: one });
    expect(await shown(machine, '1', other)).toBe('3af0');
    const refused = async (args: readonly string[], env: Record<string, string>) => {
      const { stderr, code } = await machine.run(args, { env, input: 'go on\n' });
      expect(code, args.join(' ')).toBe(10);
      return stderr;
    };
    for (const args of [
      ['trash', '1'],
      ['tag', '1', '--add', 'a'],
      ['chat', '--continue', '1'],
    ])
      expect(await refused(args, other)).toContain('there is none here');
    for (const args of [
      ['trash', '3'],
      ['show', '3'],
      ['chat', '--continue', '3'],
      ['chat', '--resume', '3'],
    ])
      expect(await refused(args, one)).toContain('The last list had 2 lines.');
    const { sessions } = await machine.open().then(async (store) => {
      await using _ = store;
      return store.list({ limit: 9 });
    });
    expect(sessions.map(({ totals, state }) => [totals.messages, state.tags.length])).toEqual(
      sessions.map(() => [0, 0]),
    );
    expect(sessions).toHaveLength(5);
  });

  it('keeps the numbers when the list has changed since', async () => {
    using machine = await fourSessions();
    await machine.run(['sessions']);
    await machine.session({ id: 'newer' });
    await machine.run(['trash', '1']);
    expect(await shown(machine, '3')).toBe('sally_20251231_080000');
  });

  it('does not guess between a number and a title that is this number', async () => {
    using machine = await fourSessions();
    await machine.run(['sessions']);
    expect(await shown(machine, '2')).toMatchObject({ code: 'session-ambiguous' });
    expect(await shown(machine, '1')).toBe('dev_20260101_100000');
  });

  it('is not changed by a list for programs, which has no numbers', async () => {
    using machine = await fourSessions();
    await machine.run(['sessions']);
    await machine.run(['sessions', '--limit', '1', '--json']);
    expect(await shown(machine, '4')).toBe('sally_20251230_112153');
  });

  it('finds a trashed session by its id, and names the trash otherwise', async () => {
    using machine = await fourSessions();
    await machine.change((store) => trashSession(store, 'dev_20260101_100000'));
    expect((await machine.run(['fork', 'dev_2026'])).stderr).toContain('dev_20260101_100000 is in the trash');
    expect(await shown(machine, 'dev_2026')).toBe('dev_20260101_100000');
  });
});
