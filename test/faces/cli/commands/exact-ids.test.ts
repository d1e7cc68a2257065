import { describe, expect, it } from 'vitest';
import { trashSession } from '../../../../src/session/index.ts';
import { user } from '../../../../src/testing/index.ts';
import { hashLogs } from '../../../support/hash-logs.ts';
import { createMachine, type Machine } from '../command-line.ts';
import { withPlans } from './branches.ts';

const SHELL = { THROUGHLINE_SHELL_PID: '1001' };

const LISTED: Record<string, string[]> = { trash: [], purge: ['--trashed'], scrub: ['--trashed'] };

/** In the trash, unless the command puts them there: `plan_1`, which can be called by all that people call sessions, and `x_2`, whose neighbour `x` is gone. */
async function library([command]: readonly string[] = []): Promise<Machine> {
  const machine = createMachine();
  await machine.session({ id: 'plan_1' }, (session) => session.append([user('What about hunter2-plan?')]));
  await machine.session({ id: 'titled_1', title: 'plan_9' }, (session) =>
    session.append([user('hunter2-plan')]),
  );
  await machine.session({ id: 'x_2', title: 'Neighbour' }, (session) =>
    session.append([user('hunter2-plan')]),
  );
  await machine.change(async (store) => {
    if (command !== 'trash') for (const id of ['plan_1', 'titled_1', 'x_2']) await trashSession(store, id);
  });
  return machine;
}

async function hashes(machine: Machine): Promise<Record<string, string>> {
  await using store = await machine.open();
  return await hashLogs(store);
}

const WORDS = [
  { words: 'plan', id: 'plan_1', by: 'prefix' },
  { words: 'What about hunter2-plan?', id: 'plan_1', by: 'title' },
  { words: 'plan_9', id: 'titled_1', by: 'title' },
  { words: 'NEIGHBOUR', id: 'x_2', by: 'title' },
  { words: '1', id: 'x_2', by: 'number' },
  { words: 'x', id: 'x_2', by: 'prefix' },
];

const COMMANDS = [
  { command: ['trash'], done: 'put into the trash' },
  { command: ['purge', '--yes'], done: 'purged' },
  { command: ['scrub', '--text', 'hunter2-plan', '--yes'], done: 'scrubbed' },
];

describe.each(COMMANDS)('throughline $command in a pipe', ({ command, done }) => {
  it.each(WORDS)('refuses "$words" and names $id, which it found by its $by', async ({ words, id, by }) => {
    using machine = await library(command);
    if (by === 'number')
      await machine.run(['sessions', '--limit', '9', ...LISTED[command[0]!]!], { env: SHELL });
    const before = await hashes(machine);
    const { stderr, code } = await machine.run([...command, words, '--json'], { env: SHELL });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      message: expect.stringMatching(new RegExp(`^Nothing was ${done}: [^]*throughline ${command[0]} ${id}`)),
      details: { found: [{ reference: words, id, by, messages: 1 }] },
    });
    expect(code).toBe(2);
    expect(await hashes(machine)).toEqual(before);
  });

  it('acts on the whole id, and on that session alone', async () => {
    using machine = await library(command);
    const { plan_1: mine, ...others } = await hashes(machine);
    expect((await machine.run([...command, 'plan_1'], { env: SHELL })).code).toBe(0);
    const { plan_1: now, ...rest } = await hashes(machine);
    expect(now).not.toBe(mine);
    expect(rest).toEqual(others);
  });

  it('does nothing to any session if one of several is not a whole id', async () => {
    using machine = await library();
    const before = await hashes(machine);
    const { stderr, code } = await machine.run([...command, 'titled_1', 'plan']);
    expect(stderr).toContain(`Nothing was ${done}: `);
    expect(stderr).toContain(`throughline ${command[0]} titled_1 plan_1`);
    expect(code).toBe(2);
    expect(await hashes(machine)).toEqual(before);
  });

  it.each(['y\n', 'n\n', ''])(
    'shows in a terminal what it found and asks; the answer is %j',
    async (input) => {
      using machine = await library(command);
      const before = await hashes(machine);
      const { stderr, code } = await machine.run([...command, 'plan_'], { env: SHELL, input, columns: 200 });
      expect(stderr).toMatch(
        /"plan_" is the start of the id plan_1 {2}What about hunter2-plan\? {2}\(1 message, changed/,
      );
      expect(stderr).toContain('[y/N]');
      const { plan_1: now, ...rest } = await hashes(machine);
      const { plan_1: mine, ...others } = before;
      if (input === 'y\n') expect(now).not.toBe(mine);
      else expect(now).toBe(mine);
      expect(code).toBe(input === 'y\n' ? 0 : 54);
      expect(rest).toEqual(others);
    },
  );
});

describe('throughline purge', () => {
  it('never reaches x_2 when the purge of x is repeated', async () => {
    using machine = createMachine();
    for (const id of ['x', 'x_2']) await machine.session({ id });
    await machine.run(['trash', 'x', 'x_2']);
    const { x_2: neighbour } = await hashes(machine);
    expect((await machine.run(['purge', 'x', '--yes'])).code).toBe(0);
    for (const retry of [
      ['purge', 'x', '--yes'],
      ['purge', 'x', '--yes', '--json'],
      ['trash', 'x'],
    ])
      expect((await machine.run(retry)).code).not.toBe(0);
    expect(await hashes(machine)).toEqual({ x_2: neighbour });
  });

  it('still shows what would go by any name with --dry-run', async () => {
    using machine = await library();
    const { stdout, code } = await machine.run(['purge', 'x', '--dry-run']);
    expect(stdout).toContain('x_2  Neighbour');
    expect(code).toBe(0);
  });
});

describe('throughline merge', () => {
  const MERGE = ['--yes', '--take', 'theirs'];

  it.each([
    { args: ['dis', ...MERGE], id: 'disk' },
    { args: ['disk', '--into', 'mai', ...MERGE], id: 'main' },
    { args: ['dis', '--undo'], id: 'disk' },
  ])('refuses $args in a pipe and names $id', async ({ args, id }) => {
    using machine = await withPlans();
    const before = await hashes(machine);
    for (const json of [[], ['--json']]) {
      const { stderr, code } = await machine.run(['merge', ...args, ...json]);
      expect(stderr).toContain(id);
      expect(code).toBe(2);
    }
    expect(await hashes(machine)).toEqual(before);
  });

  it('names the whole command in a refusal, with its options and its store', async () => {
    using machine = await withPlans();
    const asked = ['--leave', '1,facts', '--take', 'newest', '--resolve', '1=ours', '--plan', '01234567'];
    const named = ['--store', machine.storeFile];
    const { stderr } = await machine.run(['merge', 'dis', '--yes', ...asked, ...named]);
    expect(stderr).toContain(
      `throughline merge disk --into main --plan 01234567 --yes --leave 1,facts --take newest --resolve 1=ours --store ${machine.storeFile}\n`,
    );
    for (const [command, ...words] of [['trash'], ['purge', '--yes'], ['scrub', '--text', 'x', '--yes']]) {
      if (command === 'purge') await machine.change((store) => trashSession(store, 'disk'));
      const refused = await machine.run([command!, 'dis', ...words, ...named]);
      expect(refused.stderr).toMatch(
        new RegExp(`throughline ${command} disk.* --store ${machine.storeFile}\n`),
      );
    }
  });

  it('merges whole ids, and previews any', async () => {
    using machine = await withPlans();
    expect((await machine.run(['merge', 'dis'])).stdout).toMatch(/^disk \(Cache\) into main \(Cache\)/);
    expect((await machine.run(['merge', 'disk', '--into', 'main', ...MERGE])).code).toBe(0);
  });

  it('does not take another session for the parent that is gone', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk_2' });
    await machine.change(async (store) => {
      await store.create({ id: 'branch', parent: { session: 'talk_2', relation: 'resume', seq: 0 } });
    });
    await machine.session({ id: 'talk_2_3' });
    await machine.run(['trash', 'talk_2']);
    await machine.run(['purge', 'talk_2', '--yes']);
    const { stderr, code } = await machine.run(['merge', 'branch']);
    expect(stderr).toContain('"talk_2"');
    expect(code).not.toBe(0);
  });
});

describe('throughline work', () => {
  it('takes whole ids only', async () => {
    using machine = createMachine();
    await machine.run(['work', 'feature', 'f', '--name', 'F']);
    await machine.run(['work', 'task', 'f', 'login', '--title', 'Login']);
    const { session } = await machine.json<{ session: string }>('work', 'session', 'dev-task', 'f', 'login');
    const start = session.slice(0, 'dev_f_log'.length);
    const before = await hashes(machine);
    for (const args of [
      ['add', start, 'user', 'Hello.'],
      ['loop', start, '1', '--passed', 'build'],
      ['compact', start],
      ['show', start, session],
      ['request', start, 'What now?'],
      ['checkpoint', start],
    ]) {
      const { stderr, code } = await machine.run(['work', ...args]);
      expect(stderr, args[0]).toContain(`No session "${start}"`);
      expect(code, args[0]).toBe(10);
    }
    expect(await hashes(machine)).toEqual(before);
    expect((await machine.run(['work', 'add', session, 'user', 'Hello.'])).code).toBe(0);
  });
});
