import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionAhead, type RequestPlan, requestFor } from '../../../src/agent/index.ts';
import type { Budget, HeadPiece } from '../../../src/context/index.ts';
import { createContexts } from '../../../src/operations/contexts/contexts.ts';
import { createMemoryStore, openStore, type Store } from '../../../src/store/index.ts';
import { sentence } from './conversations.ts';
import { TRANSPORTS } from './transports.ts';

const OTHERS = 4;
const folder = mkdtempSync(path.join(tmpdir(), 'throughline-contexts-'));
let store: Store;

async function fill(into: Store, id: string, count: number): Promise<void> {
  await into.create({ id });
  const entries = Array.from({ length: count }, (_, index) => ({
    body: {
      kind: 'message' as const,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      parts: [{ type: 'text', text: `${sentence(index)} `.repeat(1 + (index % 5)) }],
    },
  }));
  await into.append(id, entries);
}

function planOf(limits: Budget, head: readonly HeadPiece[] = []): RequestPlan {
  return {
    model: 'anthropic:claude-sonnet-4-5',
    frame: { head, tools: [], limits },
    recalled: [],
    hidden: [],
  };
}

async function built(from: Store, plan: RequestPlan) {
  const { context, load, holds } = await requestFor(from, (await from.session('long'))!, plan);
  return { context, load, holds };
}

beforeAll(async () => {
  store = await openStore(path.join(folder, 's.db'), { durability: 'normal' });
  await fill(store, 'long', 4000);
  await fill(store, 'short', 20);
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['websocket', 'stdio'] as const)('over %s', (name) => {
  it.each([
    ['the meter of a long session', 'chat/context/meter', { sessionId: 'long', window: 50_000 }],
    ['a search that has to read everything first', 'search', { query: 'port 8003' }],
  ] as const)('others are answered during %s', async (_, method, params) => {
    // A store that nothing was asked of yet.
    await using fresh = await openStore(path.join(folder, `${name} ${method.replaceAll('/', ' ')}.db`));
    await fill(fresh, 'long', 4000);
    await fill(fresh, 'short', 20);
    await using line = await TRANSPORTS[name]({ store: fresh });
    const done: string[] = [];
    const slow = line.client.call(method, params as never).then(() => done.push('slow'));
    // One after the other: whatever holds the process up comes before one of them.
    for (let index = 0; index < OTHERS; index++) {
      await line.client.call('chat/message/add', { sessionId: 'short', role: 'user', content: 'Meanwhile.' });
      done.push(`other ${index}`);
    }
    await slow;
    expect(done.indexOf('slow')).toBe(OTHERS);
  });
});

describe('a context that is built aside', () => {
  const cases = [
    planOf({ window: 200_000, outputLimit: 8_000 }),
    {
      ...planOf({ window: 30_000, outputLimit: 4_000 }),
      ahead: [questionAhead('Which port has part 3?', { after: 4000 })],
    },
    { ...planOf({ window: 60_000 }), hidden: 'cut' as const },
    planOf({ window: 60_000 }, [{ part: 'system', text: 'Be brief.' }]),
  ];
  it.each(cases)('is the same as one that is built here: %j', async (plan) => {
    await using contexts = createContexts(store, { atOnce: 0 });
    const info = (await store.session('long'))!;
    expect(await contexts.elsewhere(info, plan)).toEqual(await built(store, plan));
  });

  it('fails with the same words', async () => {
    await using contexts = createContexts(store, { atOnce: 0 });
    const info = (await store.session('short'))!;
    const options = planOf({ window: 2000 }, [{ part: 'system', text: 'x y '.repeat(5000) }]);
    const [aside, here] = await Promise.all([
      contexts.elsewhere(info, options).catch((error: unknown) => error),
      requestFor(store, info, options).catch((error: unknown) => error),
    ]);
    expect(aside).toEqual(here);
    expect(aside).toMatchObject({ code: 'head-too-large', details: expect.any(Object) });
  });

  it('is built here where no thread can read the store', async () => {
    const nowhere = { ...store, facts: { ...store.facts, location: path.join(folder, 'nowhere', 'x.db') } };
    const memory = createMemoryStore();
    await fill(memory, 'long', 30);
    for (const each of [nowhere, memory]) {
      await using contexts = createContexts(each, { atOnce: 0 });
      const info = (await each.session('long'))!;
      const options = planOf({ window: 20_000 });
      const { elsewhere } = contexts;
      const made = await requestFor(each, info, { ...options, elsewhere });
      expect(made).toMatchObject(await built(each, options));
    }
  });

  it('is asked of the next thread while the last one is being stopped', async () => {
    const info = (await store.session('long'))!;
    const options = planOf({ window: 20_000 });
    let reads = 0;
    const counted = {
      ...store,
      read(...asked: Parameters<Store['read']>) {
        reads++;
        return store.read(...asked);
      },
    };
    await using contexts = createContexts(counted, { atOnce: 0 });
    await contexts.elsewhere(info, options);
    const stopped = contexts[Symbol.asyncDispose]();
    await contexts.elsewhere(info, options);
    await stopped;
    expect(reads).toBe(0);
  });
});
