import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldBoard, listProjects, TASK_WORKFLOW } from '../../src/project/index.ts';
import type { EntryBody } from '../../src/record/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { logOf } from '../../src/testing/index.ts';
import { openWork } from '../../src/work/index.ts';
import { makeRepository, openWorkshop } from './workshop.ts';

describe('a board', () => {
  it('has its tasks by id when it is written as JSON', async () => {
    await using shop = await openWorkshop();
    expect(JSON.parse(JSON.stringify(await shop.work.feature('auth'))).tasks).toMatchObject({
      login: { title: 'Build the login' },
    });
  });

  it('has features with tasks, in the order in which they came', async () => {
    await using shop = await openWorkshop();
    await shop.work.setTask('auth', 'logout', { title: 'Build the logout', dependsOn: ['login'] });
    const [feature] = await shop.work.features();
    expect(feature).toMatchObject({ id: 'auth', name: 'Sign in', state: 'planning' });
    expect(
      [...feature!.tasks.values()].map(({ id, title, dependsOn }) => ({ id, title, dependsOn })),
    ).toEqual([
      { id: 'login', title: 'Build the login', dependsOn: [] },
      { id: 'logout', title: 'Build the logout', dependsOn: ['login'] },
    ]);
  });

  it('is a separate log, which is no conversation and no project', async () => {
    await using shop = await openWorkshop();
    const { sessions } = await shop.store.list({ limit: 10 });
    expect(sessions).toEqual([]);
    expect(await listProjects(shop.store)).toHaveLength(1);
    expect((await shop.store.verify()).problems).toEqual([]);
  });

  it('is the same one for every folder of the project, and for every process', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: `${shop.repository.path}/src` });
    expect((await other.feature('auth')).name).toBe('Sign in');
    await other.setFeature('auth', { name: 'Sign in and out' });
    expect((await shop.work.feature('auth')).name).toBe('Sign in and out');
  });

  it('writes nothing when it is only read, or set to the same values', async () => {
    using repository = makeRepository();
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    expect(await work.features()).toEqual([]);
    expect((await store.verify()).stored).toBe(0);
    await work.setFeature('auth', { name: 'Sign in' });
    const { entries } = await store.verify();
    await work.setFeature('auth', { name: 'Sign in' });
    await work.moveFeature('auth', 'planning');
    expect((await store.verify()).entries).toBe(entries);
  });

  it('keeps what others say about the same task at the same time', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    await Promise.all([
      shop.work.setTask('auth', 'login', { title: 'A better title' }),
      other.setTask('auth', 'login', { description: 'A better description.' }),
    ]);
    expect(await shop.work.task('auth', 'login')).toMatchObject({
      title: 'A better title',
      description: 'A better description.',
    });
  });

  it('clears fields set to null, and takes away removed ones', async () => {
    await using shop = await openWorkshop();
    await shop.work.setFeature('auth', { spec: null, branch: 'auth' });
    expect(await shop.work.feature('auth')).not.toHaveProperty('spec');
    await shop.work.setTask('auth', 'login', { removed: true });
    expect((await shop.work.feature('auth')).tasks.size).toBe(0);
    await shop.work.setFeature('auth', { removed: true });
    expect(await shop.work.features()).toEqual([]);
  });

  it.each([
    {
      what: 'a feature',
      ask: (work: Awaited<ReturnType<typeof openWork>>) => work.feature('none'),
      code: 'feature-not-found',
    },
    {
      what: 'a task',
      ask: (work: Awaited<ReturnType<typeof openWork>>) => work.task('auth', 'none'),
      code: 'task-not-found',
    },
    {
      what: 'a task to wait for',
      ask: (work: Awaited<ReturnType<typeof openWork>>) =>
        work.setTask('auth', 'login', { dependsOn: ['none'] }),
      code: 'task-not-found',
    },
    {
      what: 'a name that is safe',
      ask: (work: Awaited<ReturnType<typeof openWork>>) => work.setFeature('../x'),
      code: 'entry-invalid',
    },
  ])('says that there is not $what', async ({ ask, code }) => {
    await using shop = await openWorkshop();
    await expect(ask(shop.work)).rejects.toMatchObject({ code });
  });
});

describe('a task moves', () => {
  it('along the workflow, and every step is kept with who and why', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    for (const state of ['in_dev', 'in_qa', 'in_dev', 'in_qa', 'in_merge', 'done'])
      await work.moveTask('auth', 'login', state, { by: 'harness', reason: `now ${state}` });
    const { state, moves } = await work.task('auth', 'login');
    expect(state).toBe('done');
    expect(moves.map(({ from, to, by, reason }) => [from, to, by, reason]).at(-1)).toEqual([
      'in_merge',
      'done',
      'harness',
      'now done',
    ]);
    expect(moves).toHaveLength(6);
  });

  it('nowhere that the workflow does not lead, whatever is asked', async () => {
    const states = Object.keys(TASK_WORKFLOW);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...states), { maxLength: 12 }), async (asked) => {
        await using store = createMemoryStore();
        await using work = await openWork(store, { folder: '/' });
        await work.setFeature('f');
        await work.setTask('f', 't');
        let expected = 'planning';
        for (const to of asked) {
          const allowed = to === expected || TASK_WORKFLOW[expected]!.includes(to);
          const moved = await work.moveTask('f', 't', to).catch((error: { code?: string }) => error.code);
          if (allowed) expected = to;
          expect(typeof moved === 'object' ? moved.state : moved).toBe(allowed ? to : 'transition-refused');
        }
        expect((await work.task('f', 't')).state).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('not before its dependencies are done, unless forced', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.setTask('auth', 'logout', { dependsOn: ['login'] });
    await expect(work.moveTask('auth', 'logout', 'in_dev')).rejects.toMatchObject({
      code: 'transition-refused',
      details: { open: ['login'] },
    });
    await work.moveTask('auth', 'login', 'done', { force: true });
    expect((await work.moveTask('auth', 'logout', 'in_dev')).state).toBe('in_dev');
    await expect(work.moveTask('auth', 'logout', 'nowhere', { force: true })).rejects.toMatchObject({
      code: 'transition-refused',
    });
  });

  it('once, when two move it at the same time: the second is judged by where it is then', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    await shop.work.moveTask('auth', 'login', 'in_dev');
    const outcomes = await Promise.allSettled([
      shop.work.moveTask('auth', 'login', 'in_qa'),
      other.moveTask('auth', 'login', 'planning'),
    ]);
    const { moves } = await shop.work.task('auth', 'login');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(moves).toHaveLength(2);
    expect(moves.every((move, index) => index === 0 || move.from === moves[index - 1]!.to)).toBe(true);
  });

  it('never in a circle of tasks that wait for each other', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.setTask('auth', 'a', { dependsOn: ['login'] });
    await work.setTask('auth', 'b', { dependsOn: ['a'] });
    await expect(work.setTask('auth', 'login', { dependsOn: ['b'] })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(work.setTask('auth', 'a', { dependsOn: ['a'] })).rejects.toMatchObject({ code: 'usage' });
  });
});

it('reading a board in pieces comes to the same as reading it at once', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('work'),
      step: fc.constant('feature'),
      feature: fc.constantFrom('a', 'b'),
    }),
    fc.record({
      kind: fc.constant('work'),
      step: fc.constant('task'),
      feature: fc.constantFrom('a', 'b'),
      task: fc.constantFrom('x', 'y'),
      title: fc.string(),
      removed: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('work'),
      step: fc.constant('moved'),
      feature: fc.constantFrom('a', 'b'),
      task: fc.constantFrom('x', 'y'),
      from: fc.constant('planning'),
      to: fc.constantFrom('in_dev', 'in_qa'),
    }),
    fc.record({
      kind: fc.constant('work'),
      step: fc.constant('session'),
      feature: fc.constantFrom('a', 'b'),
      session: fc.constantFrom('s1', 's2'),
      type: fc.constant('pm-feature'),
      agent: fc.constant('pm'),
      ended: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (bodies, at) => {
      const log = logOf(...(bodies as EntryBody[]));
      expect(foldBoard(log.slice(at), foldBoard(log.slice(0, at)))).toEqual(foldBoard(log));
    }),
  );
});
