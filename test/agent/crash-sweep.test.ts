import { describe, expect, it } from 'vitest';
import { MAYBE_RUN } from '../../src/agent/close-turn.ts';
import { recoverTurn } from '../../src/agent/index.ts';
import { openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { crashAfter, fixedClock } from '../../src/testing/index.ts';
import { rehearse, UNINTERRUPTED } from './rehearsed-turn.ts';
import { tellEntry } from './told.ts';

const WRITES = UNINTERRUPTED.length;

/** The only thing that a crash may change: a result that says nobody knows, where one was about to be written. */
function withLostResult(at: number): string[] {
  const lost = UNINTERRUPTED[at]!.startsWith('tool: = coat') ? [at] : [];
  return UNINTERRUPTED.map((line, index) => (lost.includes(index) ? `tool!: = error ${MAYBE_RUN}` : line));
}

describe('a turn whose process dies', () => {
  it('writes as often as the sweep believes', async () => {
    const store = createMemoryStore();
    await store.create({ id: 's' });
    await expect(rehearse(crashAfter(store, WRITES), () => {})).resolves.toMatchObject({
      status: 'complete',
    });
    expect((await store.read('s')).map(tellEntry)).toEqual(UNINTERRUPTED);
  });

  it.each(Array.from({ length: WRITES }, (_, writes) => writes))(
    'after %i writes ends in the log of one that nothing interrupted',
    async (writes) => {
      const clock = fixedClock();
      await using store = createMemoryStore({ now: clock.now });
      await store.create({ id: 's' });
      const coats: number[] = [];

      await expect(rehearse(crashAfter(store, writes), (coat) => coats.push(coat))).rejects.toThrow('crash');
      clock.advance(60_000); // the lease of the dead process runs out
      await rehearse(store, (coat) => coats.push(coat));

      const log = (await store.read('s')).map(tellEntry);
      expect(log).toEqual(withLostResult(writes));
      expect(coats).toEqual([1, 2]);
      expect(new Set((await store.read('s')).map(({ id }) => id)).size).toBe(log.length);
    },
  );

  it('twice, at every two writes, still ends there, and nothing is painted twice', async () => {
    for (let first = 0; first < WRITES; first++) {
      for (let second = 0; second < WRITES - first; second++) {
        const clock = fixedClock();
        await using store = createMemoryStore({ now: clock.now });
        await store.create({ id: 's' });
        const coats: number[] = [];
        for (const writes of [first, second]) {
          await rehearse(crashAfter(store, writes), (coat) => coats.push(coat)).catch(() => {});
          clock.advance(60_000);
        }
        await rehearse(store, (coat) => coats.push(coat));
        expect(coats, `${first}, ${second}`).toEqual([1, 2]);
        const log = (await store.read('s')).map(tellEntry);
        const same = (line: string, index: number) =>
          line === UNINTERRUPTED[index] || line === `tool!: = error ${MAYBE_RUN}`;
        expect(
          log.filter((line, index) => !same(line, index)),
          `${first}, ${second}`,
        ).toEqual([]);
        expect(log).toHaveLength(WRITES);
      }
    }
  });

  it('over and over, and is only looked at: opening it changes nothing more after the first time', async () => {
    for (let writes = 0; writes < WRITES; writes++) {
      const clock = fixedClock();
      await using store = createMemoryStore({ now: clock.now });
      await store.create({ id: 's' });
      await rehearse(crashAfter(store, writes), () => {}).catch(() => {});
      clock.advance(60_000);
      const lengths: number[] = [];
      for (let times = 0; times < 3; times++) {
        await using session = await openSession(store, 's');
        await recoverTurn(session);
        lengths.push((await session.read()).length);
      }
      expect(new Set(lengths).size).toBe(1);
    }
  });
});
