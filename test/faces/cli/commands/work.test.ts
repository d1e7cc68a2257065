import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWork, type Work } from '../../../../src/work/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

/** Does something to the board without the command line, which takes its time to start. */
async function onBoard<T>(machine: Machine, action: (work: Work) => Promise<T>): Promise<T> {
  await using store = await machine.open();
  await using work = await openWork(store, { folder: machine.folder });
  return await action(work);
}

/** A feature with two tasks, and a developer's session with a few turns. */
async function begin(machine: Machine): Promise<string> {
  return onBoard(machine, async (work) => {
    await work.setFeature('auth', { name: 'Sign in' });
    await work.setTask('auth', 'store', { title: 'Keep sessions' });
    await work.setTask('auth', 'login', { title: 'Build the login', dependsOn: ['store'] });
    const id = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    for (let n = 1; n <= 4; n++) {
      await work.addMessage(id, 'user', `Step ${n}, please. ${'Look at it carefully. '.repeat(10)}`);
      await work.addMessage(
        id,
        'assistant',
        `Decision: step ${n} is by plan ${n}.\n${'I did it. '.repeat(30)}`,
      );
    }
    return id;
  });
}

describe('throughline work', () => {
  it('shows nothing, makes nothing and says how to begin', async () => {
    using machine = createMachine();
    const { stdout, code } = await machine.run(['work']);
    expect([stdout, code]).toEqual([expect.stringContaining('No features yet.'), 0]);
    expect(existsSync(machine.storeFile)).toBe(false);
    expect(await machine.json('work')).toEqual({ features: [] });
  });

  it('adds features and tasks, moves them, and shows the board', async () => {
    using machine = createMachine();
    await machine.run(['work', 'feature', 'auth', '--name', 'Sign in', '--spec', 'With a password.']);
    await machine.run(['work', 'task', 'auth', 'store', '--title', 'Keep sessions']);
    const task = await machine.json(
      'work',
      'task',
      'auth',
      'login',
      '--title',
      'Build the login',
      '--after',
      'store',
    );
    expect(task).toMatchObject({
      id: 'login',
      feature: 'auth',
      state: 'planning',
      dependsOn: ['store'],
      sessions: [],
    });

    const refused = await machine.run(['work', 'move', 'auth', 'login', 'in_dev', '--json']);
    expect(refused.code).toBe(122);
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'transition-refused' });
    await machine.run(['work', 'move', 'auth', 'store', 'done', '--force']);
    expect(await machine.json('work', 'move', 'auth', 'login', 'in_dev', '--reason', 'now')).toMatchObject({
      state: 'in_dev',
      moves: [{ from: 'planning', to: 'in_dev', reason: 'now' }],
    });
    expect(await machine.json('work', 'move', 'auth', 'in_progress')).toMatchObject({
      id: 'auth',
      state: 'in_progress',
    });

    const { stdout } = await machine.run(['work']);
    expect(stdout).toMatch(
      /auth {2}Sign in {2}in_progress {2}1 of 2 tasks done, just now\n {2}done +store {2}Keep sessions\n {2}in_dev +login {2}Build the login {2}after store/,
    );
    expect(await machine.json<unknown[]>('work', 'tasks')).toHaveLength(2);
    expect(await machine.json<unknown[]>('work', 'features')).toMatchObject([
      { id: 'auth', spec: 'With a password.' },
    ]);
    const unknown = await machine.run(['work', 'feature', 'none']);
    expect([unknown.code, unknown.stderr]).toEqual([
      120,
      expect.stringContaining('No feature "none". There are: auth.'),
    ]);
  });

  it('gives sessions, takes messages, and builds the request', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    expect(
      (await machine.run(['work', 'session', 'dev-task', 'auth', 'login', '--state', 'in_dev'])).stdout,
    ).toBe(`${id}\n`);
    const added = await machine.run(['work', 'add', id, 'user', '--json'], { input: 'From a pipe.\n' });
    expect(JSON.parse(added.stdout)).toMatchObject({ session: id, budget: 100_000 });
    const request = await machine.json<Record<string, unknown>>('work', 'request', id, 'What', 'next?');
    expect(Object.keys(request)).toEqual(['systemPrompt', 'userPrompt', 'totalTokens', 'budget']);
    expect(request).toMatchObject({
      userPrompt: 'What next?',
      systemPrompt: expect.stringContaining('**User**: From a pipe.'),
    });
    expect(await machine.json('work', 'request', id, '--size')).toMatchObject({
      budget: 100_000,
      checkpoint: 0,
    });
    expect(await machine.json('work', 'sessions', 'auth')).toMatchObject([
      { session: id, ended: false, state: 'in_dev', messages: 9 },
    ]);
    const { code } = await machine.run(['work', 'add', id, 'robot', 'Hello.']);
    expect(code).toBe(2);
  });

  it('says what agents will not see: a spec that is not there, a description that is broken', async () => {
    using machine = createMachine();
    const missing = await machine.run(['work', 'feature', 'auth', '--spec-file', 'nope.md']);
    expect([missing.code, missing.stderr]).toEqual([0, expect.stringContaining('no nope.md in')]);
    const id = await begin(machine);
    mkdirSync(path.join(machine.folder, '.throughline', 'agents'), { recursive: true });
    writeFileSync(path.join(machine.folder, '.throughline', 'agents', 'dev.json'), '{');
    const asked = await machine.run(['work', 'request', id, 'What next?']);
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('dev.json cannot be read')]);
  });

  it('ends the active session of a type, and makes none to end', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    const end = (type: string, ...more: string[]) =>
      machine.run(['work', 'session', type, 'auth', 'login', '--state', 'in_dev', '--end', ...more]);
    const none = await end('qa-task');
    expect([none.code, none.stderr]).toEqual([
      10,
      expect.stringContaining('No qa-task session of auth/login is active'),
    ]);
    expect((await end('dev-task', '--new')).code).toBe(2);
    expect((await end('dev-task')).stdout).toBe(`${id}\n`);
    expect((await end('dev-task')).code).toBe(10);
    expect(await onBoard(machine, (work) => work.sessions('auth'))).toMatchObject([
      { session: id, ended: true },
    ]);
  });

  it('writes to the board of the project that is named, also if that has no folder', async () => {
    using machine = createMachine();
    await begin(machine);
    await machine.session({ settings: { project: 'labelonly' } });
    await machine.run(['work', 'feature', 'f1', '--name', 'First', '--project', 'labelonly']);
    await machine.run(['work', 'task', 'f1', 't1', '--title', 'One', '--project', 'labelonly']);
    expect(await machine.json('work', 'features', '--project', 'labelonly')).toMatchObject([
      { id: 'f1', tasks: [{ id: 't1' }] },
    ]);
    expect(await machine.json('work', 'features')).toMatchObject([{ id: 'auth' }]);
    const { code, stderr } = await machine.run(['work', 'export', '--project', 'labelonly']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no folder')]);
  });

  it('compacts, shows the checkpoint with what it saved, and lets a tester see it', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    await machine.run(['work', 'compact', id]);
    await machine.run([
      'work',
      'loop',
      id,
      '4',
      '--passed',
      'build,lint',
      '--failed',
      'test',
      '--error',
      'boom',
    ]);
    const checkpoint = await machine.json<{ tokens: { totalSaved: number } }>('work', 'checkpoint', id);
    expect(checkpoint).toMatchObject({
      sessionId: id,
      version: 1,
      summary: { decisions: [1, 2, 3].map((n) => `step ${n} is by plan ${n}.`) },
      ralphLoop: {
        currentIteration: 4,
        passedChecks: ['build', 'lint'],
        failedChecks: ['test'],
        lastError: 'boom',
      },
    });
    expect(checkpoint.tokens.totalSaved).toBeGreaterThan(0);
    expect((await machine.run(['work', 'checkpoint', id])).stdout).toContain(
      'Decisions:\n  - step 1 is by plan 1.',
    );

    const qa = await onBoard(machine, (work) =>
      work.createSession('qa-task', 'auth', 'login', undefined, 'in_qa'),
    );
    expect(await machine.json('work', 'show', qa, id)).toMatchObject({ session: qa, shows: [id] });
    expect((await machine.run(['work', 'request', qa, 'Check it.'])).stdout).toContain(
      `# Checkpoint of ${id} (read-only)`,
    );
  });

  it('writes agent descriptions to edit, and names one that is broken', async () => {
    using machine = createMachine();
    await machine.run(['work', 'agents', '--write']);
    const file = path.join(machine.folder, '.throughline', 'agents', 'dev.json');
    writeFileSync(file, '{ "role": ');
    const { code, stderr } = await machine.run(['work', 'agents', '--write']);
    expect([code, stderr]).toEqual([80, expect.stringContaining('dev.json')]);
    expect(readFileSync(file, 'utf8')).toBe('{ "role": ');
  });

  it('writes the layout of other programs and reads it again', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    expect(await machine.json('work', 'export')).toMatchObject({ keptAside: [], files: { length: 7 } });
    const chat = path.join(
      machine.folder,
      '.dagent-worktrees/auth/.dagent/nodes/login/sessions',
      `chat_${id}.json`,
    );
    writeFileSync(chat, '{ torn');
    expect(await machine.json('work', 'import')).toMatchObject({
      features: ['auth'],
      damaged: [{ file: chat }],
    });
    const { stdout } = await machine.run(['work', 'export']);
    expect(stdout).toContain(`kept aside: ${chat} is now ${chat}.aside-1`);
    expect(readFileSync(`${chat}.aside-1`, 'utf8')).toBe('{ torn');
  });

  it('adds a message while a loop runs in another process, and the loop takes it up', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    const requests: string[] = [];
    let added: unknown;
    await onBoard(machine, (work) =>
      work.runLoop(id, {
        prompt: () => 'Make the tests pass.',
        async ask({ systemPrompt }, { iteration }) {
          requests.push(systemPrompt);
          if (iteration === 1)
            added = await machine.json('work', 'add', id, 'user', 'Mind the second field.');
          return 'I looked at it.';
        },
        check: async ({ iteration }) => ({ passed: [], failed: iteration < 2 ? ['test'] : [] }),
      }),
    );
    expect(added).toMatchObject({ session: id, waiting: true });
    expect(requests.map((request) => request.split('Mind the second field.').length - 1)).toEqual([0, 1]);
  });

  it('says how many lines of a checkpoint a request has no room for, and where they are', async () => {
    using machine = createMachine();
    const id = await begin(machine);
    await onBoard(machine, async (work) => {
      const decisions = Array.from({ length: 200 }, (_, n) => `Decision: part ${n} is made by plan ${n}.`);
      await work.addMessage(id, 'assistant', decisions.join('\n'));
      for (const role of ['user', 'assistant'] as const) await work.addMessage(id, role, 'Go on.');
      await work.compact(id);
    });
    const asked = ['work', 'request', id, 'Go on.', '--budget', '2000'];
    const { leftOut } = (await machine.json(...asked)) as { leftOut: Record<string, number> };
    expect(leftOut.decisions).toBeGreaterThan(50);
    const { stderr } = await machine.run(asked);
    expect(stderr).toMatch(
      new RegExp(
        `no room for \\d+ lines of the checkpoint. "throughline work checkpoint ${id}" has every line`,
      ),
    );
  });

  it('builds the request of a session from the project of the session, wherever the command is run', async () => {
    using machine = createMachine();
    const elsewhere = path.join(machine.home, 'elsewhere');
    mkdirSync(elsewhere);
    for (const [folder, word] of [
      [machine.folder, 'maple'],
      [elsewhere, 'willow'],
    ] as const) {
      writeFileSync(path.join(folder, 'AGENTS.md'), `Rules of ${word}.\n`);
      await machine.run(['work', 'feature', 'f', '--name', word, '--spec', `Spec of ${word}.`], { folder });
    }
    await machine.run(['work', 'session', 'pm-feature', 'f']);
    const asked = ['work', 'request', 'pm_f', 'What is next?', '--json'];
    const request = async (folder: string, ...more: string[]) =>
      JSON.parse((await machine.run([...asked, ...more], { folder })).stdout) as {
        systemPrompt: string;
        userPrompt: string;
      };
    const here = await request(machine.folder);
    expect(JSON.stringify(here)).toMatch(/Rules of maple.*Spec of maple/s);
    expect(await request(elsewhere)).toEqual(here);
    expect(await request(machine.folder, '--project', elsewhere)).toEqual(here);
    const { stdout: log } = await machine.run(['show', 'pm_f', '--json', '--all']);
    expect(log).not.toContain('willow');
  });
});
