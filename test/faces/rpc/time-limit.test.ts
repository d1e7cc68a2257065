import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { startTimeLimit } from '../../../src/faces/rpc/dispatch/time-limit.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { until } from './conversations.ts';
import { EACH } from './transports.ts';

/** A store that writes nothing before it is let. */
function stuckStore(): { store: Store; asked: () => number; letGo: () => void } {
  const store = createMemoryStore();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const append: Store['append'] = async (...args) => {
    asked++;
    await gate.promise;
    return store.append(...args);
  };
  return { store: { ...store, append }, asked: () => asked, letGo: gate.resolve };
}

const add = (id: number, content: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'chat/message/add',
  params: { sessionId: 's', role: 'user', content },
});

/** Lets the time limit pass once the store was asked, however long a busy machine takes to get there. */
async function passLimit(asked: () => number): Promise<void> {
  while (asked() === 0) await setImmediate();
  vi.advanceTimersByTime(LIMIT_MS);
}

const LIMIT_MS = 50;

describe.each(EACH)('a call over %s', (_, open) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('that takes too long is answered, and goes on to its end', async () => {
    const { store, asked, letGo } = stuckStore();
    await store.create({ id: 's' });
    await using line = await open({ store, maxAnswerMs: LIMIT_MS });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const answer = line.raw(JSON.stringify(add(1, 'Late, and whole.')));
    await passLimit(asked);
    const { error } = JSON.parse(await answer);
    vi.useRealTimers();
    expect(error).toMatchObject({
      code: -32000,
      data: { code: 'request-timeout', details: { begun: true, seconds: 0.05 } },
    });
    expect(await store.read('s')).toEqual([]);
    letGo();
    await until(async () => (await store.read('s')).length === 1);
    expect((await line.client.call('server/info')).name).toBe('throughline');
  });

  it('of a batch that has not begun by then never begins', async () => {
    const { store, asked, letGo } = stuckStore();
    await store.create({ id: 's' });
    await using line = await open({ store, maxAnswerMs: LIMIT_MS });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const batch = line.raw(JSON.stringify([add(1, 'one'), add(2, 'two'), add(3, 'three')]));
    await passLimit(asked);
    const answers = JSON.parse(await batch);
    vi.useRealTimers();
    const begun = answers.map(
      (answer: { error: { data: { details: { begun: boolean } } } }) => answer.error.data.details.begun,
    );
    expect(begun).toEqual([true, false, false]);
    letGo();
    await until(async () => (await store.read('s')).length === 1);
    expect(asked()).toBe(1);
  });
});

describe('the time limit', () => {
  it('lets what waits for its turn go unbegun, and those behind it go on', async () => {
    const lanes = createLanes({ atOnce: 1 });
    const first = Promise.withResolvers<string>();
    const held = lanes.run('chat/session/get', {}, () => first.promise);
    let began = false;
    const late = startTimeLimit(20).run(
      'chat/session/get',
      (start) =>
        lanes.run('chat/session/get', {}, async () => {
          start();
          began = true;
        }),
      () => {},
    );
    await expect(late).rejects.toMatchObject({ code: 'request-timeout', details: { begun: false } });
    first.resolve('done');
    expect(await held).toBe('done');
    expect(await lanes.run('chat/session/get', {}, async () => 'next')).toBe('next');
    expect(began).toBe(false);
  });

  it('does not count turns of a model', async () => {
    const run = startTimeLimit(5).run(
      'ai/session/send',
      () => new Promise((resolve) => setTimeout(resolve, 60, 'stored')),
      () => {},
    );
    expect(await run).toBe('stored');
  });

  it('reports errors after it, and only unforeseen ones', async () => {
    const failing = Promise.withResolvers<never>();
    const late: unknown[] = [];
    const run = startTimeLimit(5).run(
      'chat/session/get',
      () => failing.promise,
      (error) => late.push(error),
    );
    await expect(run).rejects.toMatchObject({ code: 'request-timeout' });
    failing.reject(new Error('the disk is gone'));
    await until(() => late.length === 1);
  });
});
