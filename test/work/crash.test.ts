import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { crashAfter, fixedClock } from '../../src/testing/index.ts';
import { openWork } from '../../src/work/index.ts';
import { workMessageText } from '../../src/work/request/message-text.ts';
import { scriptedLoop } from './scripted-loop.ts';
import { makeRepository } from './workshop.ts';

const NOON = Date.UTC(2025, 11, 30, 12);

/** Everything that the room writes: a board, sessions, messages, compactions, a loop. */
async function live(store: Store, folder: string): Promise<void> {
  await using work = await openWork(store, { folder, now: () => NOON });
  await work.setFeature('auth', { name: 'Sign in', spec: 'With a password.' });
  await work.setTask('auth', 'store', { title: 'Keep sessions' });
  await work.setTask('auth', 'login', { title: 'Build the login', dependsOn: ['store'] });
  await work.moveTask('auth', 'store', 'done', { force: true });
  if ((await work.task('auth', 'login')).state === 'planning') await work.moveTask('auth', 'login', 'in_dev');
  const dev = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
  const { status } = await work.runLoop(dev, scriptedLoop(6, { checkpointEvery: 2 }));
  expect(status).toBe('passed');
  await work.moveTask('auth', 'login', 'in_qa');
  const qa = await work.getOrCreateSession('qa-task', 'auth', 'login', 'in_qa');
  await work.showCheckpoint(qa, dev);
  await work.addMessage(qa, 'user', 'Check it.', { id: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21' });
}

/** What a log says, without ids and times. */
function told({ body }: Entry): string {
  if (body.kind === 'message') return `${body.role}: ${workMessageText(body)}`;
  if (body.kind === 'compaction')
    return `compaction ${body.covers.from}-${body.covers.to} ${body.summary.decisions.length}`;
  if (body.kind === 'document') return `document ${body.id}`;
  return JSON.stringify(body);
}

async function logs(store: Store): Promise<Record<string, string[]>> {
  const pages = await Promise.all(
    (['active', 'memory'] as const).map((place) => store.list({ place, limit: 50 })),
  );
  const ids = pages.flatMap(({ sessions }) => sessions.map(({ id }) => id)).sort();
  const read = async (id: string) => [id, (await store.read(id)).map(told)] as const;
  return Object.fromEntries(await Promise.all(ids.map(read)));
}

function countWrites(store: Store): { store: Store; writes: () => number } {
  let writes = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === Symbol.asyncDispose) return async () => {};
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'create' || name === 'append') writes++;
        return member.apply(target, args);
      };
    },
  });
  return { store: counted, writes: () => writes };
}

describe('work whose process dies', () => {
  it('at any write ends in the same logs once it is started again', async () => {
    using repository = makeRepository({ git: false });
    await using whole = createMemoryStore();
    const counted = countWrites(whole);
    await live(counted.store, repository.path);
    const uninterrupted = await logs(whole);
    const total = counted.writes();
    expect(total).toBeGreaterThan(30);
    for (let writes = 0; writes < total; writes++) {
      const clock = fixedClock();
      await using store = createMemoryStore({ now: clock.now });
      await expect(live(crashAfter(store, writes), repository.path), `${writes}`).rejects.toThrow();
      clock.advance(60_000);
      await live(store, repository.path);
      expect(await logs(store), `after ${writes} writes`).toEqual(uninterrupted);
    }
  }, 60_000);

  it('again and again, at every write of every life, does too', async () => {
    using repository = makeRepository({ git: false });
    await using whole = createMemoryStore();
    await live(whole, repository.path);
    const clock = fixedClock();
    await using store = createMemoryStore({ now: clock.now });
    for (let life = 0; ; life++) {
      expect(life).toBeLessThan(200);
      // One more write than what is done again each time, so that every life gets a little further.
      const done = await live(crashAfter(store, 3), repository.path).then(
        () => true,
        () => false,
      );
      clock.advance(60_000);
      if (done) break;
    }
    expect(await logs(store)).toEqual(await logs(whole));
  }, 60_000);
});
