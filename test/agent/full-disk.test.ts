import { describe, expect, it } from 'vitest';
import {
  continueTurn,
  newestTurn,
  recoverTurn,
  runTurn,
  steerTurn,
  type TurnEvent,
} from '../../src/agent/index.ts';
import { ThroughlineError } from '../../src/errors.ts';
import type { EntryId } from '../../src/record/index.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { INPUT, rehearsedModel, rehearsedTools, UNINTERRUPTED } from './rehearsed-turn.ts';
import { told } from './told.ts';

/** A store on a disk that is full after so many appends, until room is made. */
async function smallDisk(appends: number): Promise<{ store: Store; makeRoom(): void; fill(): void }> {
  const store = createMemoryStore();
  await store.create({ id: 's' });
  let left = appends;
  return {
    fill() {
      left = 0;
    },
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

  it.each(['waits for its turn', 'is handed in'])(
    'keeps a message that %s, says so with its id, and answers it once',
    async (how) => {
      const { store, makeRoom, fill } = await smallDisk(99);
      await using session = await openSession(store, 's');
      const options = { model: rehearsedModel(), tools: rehearsedTools(() => {}) };
      let second: Promise<unknown> | undefined;
      const first = runTurn(session, INPUT, {
        ...options,
        onEvent({ type }) {
          if (type !== 'request-start' || second) return;
          fill();
          second =
            how === 'is handed in' ? steerTurn(session, 'Another') : runTurn(session, 'Another', options);
          second.catch(() => {});
        },
      });
      await expect(first).rejects.toMatchObject({ code: 'not-saved', details: { kept: 'store' } });
      const error = (await second!.catch((thrown: unknown) => thrown)) as ThroughlineError;
      expect(error).toMatchObject({ code: 'not-saved', details: { session: 's', kept: 'memory' } });
      const id = error.details.message as EntryId;
      expect(error.message).toContain(`Message ${id} is one of them`);
      const again = () => runTurn(session, { id, parts: 'Another' }, options);
      await expect(again()).rejects.toMatchObject({ details: { message: id } });
      makeRoom();
      await session.flush();
      if (how === 'waits for its turn') {
        expect(await recoverTurn(session)).toMatchObject({ waiting: [{ id }] });
        await again();
      } else await continueTurn(session, options);
      expect((await told(session)).filter((line) => line.startsWith('user: Another'))).toHaveLength(1);
      expect((await store.entry('s', id))?.body).toMatchObject({ role: 'user' });
    },
  );

  it('says of a message that it did not keep that it has to be sent again', async () => {
    const { store, makeRoom } = await smallDisk(0);
    await using session = await openSession(store, 's');
    const options = { model: rehearsedModel() };
    const send = (parts: string) => runTurn(session, parts, options);
    await expect(send('One')).rejects.toMatchObject({ details: { kept: 'memory' } });
    const [kept] = session.unsaved;
    await expect(send('Two')).rejects.toMatchObject({
      message: expect.stringMatching(/Message \S+ was not kept: send it again then\.$/),
      details: { kept: 'nowhere', entries: [kept!.id] },
    });
    expect(session.unsaved).toHaveLength(1);
    makeRoom();
  });

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
