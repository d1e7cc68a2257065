import { describe, expect, it } from 'vitest';
import { ThroughlineError } from '../../src/errors.ts';
import { continueTurn, newestTurn, runTurn, type TurnEvent } from '../../src/run/index.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { INPUT, rehearsedModel, rehearsedTools, UNINTERRUPTED } from './rehearsed-turn.ts';
import { told } from './told.ts';

/** A store on a disk that is full after so many appends, until somebody makes room. */
async function smallDisk(appends: number): Promise<{ store: Store; makeRoom(): void }> {
  const store = createMemoryStore();
  await store.create({ id: 's' });
  let left = appends;
  return {
    makeRoom() {
      left = Number.POSITIVE_INFINITY;
    },
    store: new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (name === 'append' && left-- <= 0) throw new ThroughlineError('store-full', 'The disk is full.');
          return member.apply(target, args);
        };
      },
    }),
  };
}

const newest = async (session: Session) => newestTurn(session.store, await session.refresh());

describe('a turn on a disk that is full', () => {
  it.each(UNINTERRUPTED.map((_, appends) => appends))(
    'after %i appends stops there, takes no new turn, and goes on when there is room again',
    async (appends) => {
      const { store, makeRoom } = await smallDisk(appends);
      await using session = await openSession(store, 's');
      const coats: number[] = [];
      const options = { model: rehearsedModel(), tools: rehearsedTools((coat) => coats.push(coat)) };
      await expect(runTurn(session, INPUT, options)).rejects.toMatchObject({ code: 'not-saved' });
      // A question that is not stored yet has no turn that could fail; a whole answer ends it.
      const isOver = appends === 0 || appends === UNINTERRUPTED.length - 1;
      expect(session.unsaved).toHaveLength(isOver ? 1 : 2);
      await expect(runTurn(session, 'Another', options)).rejects.toMatchObject({ code: 'not-saved' });

      if (appends > 0)
        expect(await newest(session)).toMatchObject({
          status: 'failed',
          cutBy: null,
          error: { code: 'not-saved' },
        });
      makeRoom();
      await session.flush();
      if (appends > 0)
        expect(await newest(session)).toMatchObject(
          isOver ? { status: 'complete', error: null } : { status: 'failed', error: { code: 'not-saved' } },
        );
      const { status } = await continueTurn(session, options);
      expect(status).toBe('complete');
      // What waited in memory was written when there was room, so that not even the call that was begun is lost.
      const log = await told(session);
      expect(log.filter((line) => line.startsWith('user'))).toEqual([UNINTERRUPTED[0]]);
      expect(log.at(-1)).toBe(UNINTERRUPTED.at(-1));
      expect(new Set(coats).size).toBe(coats.length);
    },
  );

  it('says that a person stopped it where one did, once there is room', async () => {
    const { store, makeRoom } = await smallDisk(1);
    await using session = await openSession(store, 's');
    const stop = new AbortController();
    const options = {
      model: rehearsedModel(),
      signal: stop.signal,
      onEvent: ({ type }: TurnEvent) => type === 'text-delta' && stop.abort(),
    };
    await expect(runTurn(session, INPUT, options)).rejects.toMatchObject({ code: 'not-saved' });
    makeRoom();
    await session.flush();
    expect(await newest(session)).toMatchObject({ status: 'interrupted', cutBy: 'person', error: null });
  });
});
