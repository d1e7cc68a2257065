import { describe, expect, it } from 'vitest';
import { isSessionId } from '../../src/record/index.ts';
import { openSession, trashSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { crashAfter } from '../../src/testing/index.ts';
import { openWork, SESSION_TYPES } from '../../src/work/index.ts';
import { makeRepository, openWorkshop } from './workshop.ts';

describe('createSession', () => {
  it('names a session so that one can read and type it', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    expect(await work.createSession('pm-feature', 'auth')).toBe('pm_auth');
    expect(await work.createSession('dev-task', 'auth', 'login')).toBe('dev_auth_login_planning');
    expect(await work.createSession('dev-task', 'auth', 'login')).toMatch(
      /^[0-9a-f]{8}_dev_auth_login_planning$/,
    );
    expect(await work.createSession('harness', 'auth', undefined, 'qa')).toBe('qa_auth');
  });

  it('writes everything that the session needs in one step: its place, its role and its context', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('qa-task', 'auth', 'login', undefined, 'in_qa');
    const { state } = (await shop.store.session(id))!;
    expect(state.settings.work).toMatchObject({
      feature: 'auth',
      task: 'login',
      state: 'in_qa',
      type: 'qa-task',
      agent: 'qa',
    });
    expect(Object.keys(state.documents).sort()).toEqual(['agent-description', 'context']);
    expect(await shop.work.description(id)).toMatchObject({ sessionId: id, agentType: 'qa' });
    expect(await shop.work.context(id)).toMatchObject({
      sessionId: id,
      type: 'qa-task',
      featureId: 'auth',
      taskId: 'login',
    });
  });

  it.each(SESSION_TYPES)('has an agent for %s', async (type) => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession(type, 'auth', 'login');
    expect((await shop.work.description(id)).role).not.toBe('');
  });

  it('gives long names and names that two places share a distinct id', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const long = 'x'.repeat(64);
    await work.setFeature(long);
    await work.setTask(long, long);
    const id = await work.createSession('dev-task', long, long);
    expect(isSessionId(id)).toBe(true);
    await work.setFeature('a_b');
    await work.setTask('a_b', 'c');
    await work.setFeature('a');
    await work.setTask('a', 'b_c');
    const ids = [
      await work.createSession('dev-task', 'a_b', 'c'),
      await work.getOrCreateSession('dev-task', 'a', 'b_c'),
    ];
    expect(new Set(ids).size).toBe(2);
    expect((await work.sessions('a', 'b_c')).map(({ session }) => session)).toEqual([ids[1]]);
  });

  it('needs the feature and the task to be there', async () => {
    await using shop = await openWorkshop();
    await expect(shop.work.createSession('pm-feature', 'none')).rejects.toMatchObject({
      code: 'feature-not-found',
    });
    await expect(shop.work.createSession('dev-task', 'auth', 'none')).rejects.toMatchObject({
      code: 'task-not-found',
    });
  });

  it('reports the error of a type, an agent, or a task that is missing', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const usage = { code: 'usage' };
    await expect(work.getOrCreateSession('bogus' as 'merge', 'auth')).rejects.toMatchObject(usage);
    await expect(work.createSession('merge', 'auth', undefined, 'cook' as 'pm')).rejects.toMatchObject(usage);
    for (const type of ['dev-task', 'qa-task'] as const)
      await expect(work.createSession(type, 'auth')).rejects.toMatchObject(usage);
    expect(await work.sessions('auth')).toEqual([]);
  });
});

describe('getOrCreateSession', () => {
  it('goes on with the newest open session of the state', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const first = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    expect(await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev')).toBe(first);
    expect(await work.getActiveSession('auth', 'login', 'in_dev')).toBe(first);
    expect(await work.getActiveSession('auth', 'login', 'in_qa')).toBeUndefined();
    await work.endSession(first);
    const second = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    expect(second).not.toBe(first);
    expect(await work.getActiveSession('auth', 'login', 'in_dev')).toBe(second);
    expect(await work.sessions('auth', 'login', 'in_dev')).toHaveLength(2);
  });

  it('follows the state of the task when none is named', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const planned = await work.getOrCreateSession('dev-task', 'auth', 'login');
    await work.moveTask('auth', 'login', 'in_dev');
    const developed = await work.getOrCreateSession('dev-task', 'auth', 'login');
    expect([planned, developed]).toEqual(['dev_auth_login_planning', 'dev_auth_login_in_dev']);
    expect(await work.getActiveSession('auth', 'login')).toBe(developed);
  });

  it('does not go on with one that was thrown away', async () => {
    await using shop = await openWorkshop();
    const first = await shop.work.getOrCreateSession('pm-feature', 'auth');
    await trashSession(shop.store, first);
    expect(await shop.work.getOrCreateSession('pm-feature', 'auth')).not.toBe(first);
  });

  it('gives two who ask at once the same', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    const ids = await Promise.all(
      [shop.work, other, shop.work, other].map((work) =>
        work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev'),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await other.sessions('auth', 'login')).toHaveLength(1);
  });

  it('finds the session of a process that died before the board knew of it', async () => {
    using repository = makeRepository();
    for (let writes = 0; writes < 8; writes++) {
      await using store = createMemoryStore();
      const steps = async (onto: typeof store) => {
        await using work = await openWork(onto, { folder: repository.path });
        await work.setFeature('auth');
        await work.setTask('auth', 'login');
        return work.getOrCreateSession('dev-task', 'auth', 'login');
      };
      await steps(crashAfter(store, writes)).catch(() => {});
      const id = await steps(store);
      await using work = await openWork(store, { folder: repository.path });
      expect((await work.sessions('auth')).map(({ session }) => session)).toEqual([id]);
      expect(id).toBe('dev_auth_login_planning');
      expect((await store.list({ limit: 10 })).sessions).toHaveLength(1);
    }
  });
});

describe('addMessage', () => {
  it('keeps what several agents say in one session at the same time', async () => {
    await using shop = await openWorkshop();
    await using other = await openWork(shop.store, { folder: shop.repository.path });
    const id = await shop.work.getOrCreateSession('dev-task', 'auth', 'login');
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? shop.work : other).addMessage(id, 'assistant', `line ${n}`),
      ),
    );
    const { systemPrompt } = await shop.work.buildRequest(id, 'Go on.');
    expect(
      Array.from({ length: 20 }, (_, n) => n).filter((n) => !systemPrompt.includes(`line ${n}`)),
    ).toEqual([]);
  });

  it('is safe to repeat with an id', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('pm-feature', 'auth');
    const entry = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21';
    await shop.work.addMessage(id, 'user', 'Once.', { id: entry });
    await shop.work.addMessage(id, 'user', 'Once.', { id: entry });
    expect((await shop.store.session(id))!.totals.messages).toBe(1);
  });

  it('names the holder when the session is held', async () => {
    await using shop = await openWorkshop();
    const id = await shop.work.createSession('pm-feature', 'auth');
    await using _ = await openSession(shop.store, id, { owner: 'chat' });
    await expect(shop.work.addMessage(id, 'user', 'Hello.')).rejects.toMatchObject({ code: 'lease-held' });
    await expect(shop.work.buildRequest(id, 'Hello.')).resolves.toMatchObject({ userPrompt: 'Hello.' });
  });
});

const NO_CHECKS = { passed: [], failed: [], lastError: null };

describe('the id of a session', () => {
  it('is exact in every method: the start of one names nothing, and nothing is written', async () => {
    await using shop = await openWorkshop();
    const { work, store } = shop;
    await work.setFeature('f', { name: 'F' });
    await work.setTask('f', 'login', { title: 'Login' });
    const id = await work.createSession('dev-task', 'f', 'login', undefined, 'in_dev');
    expect(id).toBe('dev_f_login_in_dev');
    const before = await store.read(id);
    const start = 'dev_f_log';
    const LOOP = { prompt: () => 'Go on.', ask: async () => 'Done.', check: async () => NO_CHECKS };
    for (const [name, asked] of Object.entries({
      addMessage: () => work.addMessage(start, 'user', 'Hello.'),
      compact: () => work.compact(start),
      estimateRequestSize: () => work.estimateRequestSize(start),
      buildRequest: () => work.buildRequest(start, 'What now?'),
      checkpoint: () => work.checkpoint(start),
      context: () => work.context(start),
      description: () => work.description(start),
      describeSession: () => work.describeSession(start),
      endSession: () => work.endSession(start),
      showCheckpoint: () => work.showCheckpoint(start, id),
      showCheckpointOf: () => work.showCheckpoint(id, start),
      hideCheckpoint: () => work.hideCheckpoint(start, id),
      recordLoop: () => work.recordLoop(start, 1, NO_CHECKS),
      runLoop: () => work.runLoop(start, LOOP),
    }))
      await expect(asked(), name).rejects.toMatchObject({ code: 'session-not-found' });
    expect(await store.read(id)).toEqual(before);
  });
});
