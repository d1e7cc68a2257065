import { describe, expect, it } from 'vitest';
import {
  createSession,
  expandCompactions,
  forkSession,
  infoAt,
  openSession,
  pinEntries,
  readFrontier,
} from '../../src/session/index.ts';
import { assistant, compaction, setting, user } from '../../src/testing/index.ts';
import { countingReads } from './store-doubles.ts';
import { type Bench, STORES, said } from './stores.ts';

/** Says 1 to 4, compacts them two by two, then all, and looks inside. The state after every entry is kept. */
async function history({ store }: Bench) {
  const session = await createSession(store, { id: 's' });
  const states = [session.info];
  const over = (from: number, to: number, children: string[] = []) =>
    compaction({ covers: { from, to }, children, summary: `${from}-${to}` });
  for (const body of [user('1'), assistant('2'), user('3'), assistant('4')]) {
    await session.append([body]);
    states.push(session.info);
  }
  const [left] = await session.append([over(1, 2)]);
  states.push(session.info);
  const [right] = await session.append([over(3, 4)]);
  states.push(session.info);
  const [top] = await session.append([over(1, 4, [left!.id, right!.id])]);
  states.push(session.info);
  await expandCompactions(session, { entry: top!.id });
  states.push(session.info);
  await pinEntries(session, { from: 1, to: 1 });
  states.push(session.info);
  await session.append([setting('model', 'large')]);
  states.push(session.info);
  return { session, states };
}

describe.each(STORES)('a session of a $kind store, as it was', ({ open }) => {
  it('is what it was then, after every entry of it', async () => {
    await using bench = await open();
    const { session, states } = await history(bench);
    for (const then of states.slice(1)) {
      const at = await infoAt(bench.store, session.info, then.head);
      expect([at.head, at.state]).toEqual([then.head, then.state]);
      expect(await readFrontier(bench.store, at)).toEqual(await readFrontier(bench.store, then));
    }
    expect(said(await readFrontier(bench.store, await infoAt(bench.store, session.info, 5)))).toEqual([
      '[1-2]',
      '3',
      '4',
    ]);
    await session.close();
  });

  it('was nothing before its first entry, and is what it is from the last one on', async () => {
    await using bench = await open();
    const { session } = await history(bench);
    expect((await infoAt(bench.store, session.info, 0)).head).toBe(0);
    expect(await readFrontier(bench.store, await infoAt(bench.store, session.info, 0))).toEqual([]);
    for (const seq of [session.info.head, 99]) {
      expect(await infoAt(bench.store, session.info, seq)).toBe(session.info);
    }
    await session.close();
  });

  it('is the same in a fork, for the part it shares', async () => {
    await using bench = await open();
    const { session, states } = await history(bench);
    const fork = await forkSession(bench.store, session.info, { id: 'f' });
    await using other = await openSession(bench.store, fork.id);
    await other.append([user('more')]);
    for (const { head, state } of states.slice(1)) {
      expect((await infoAt(bench.store, other.info, head)).state).toEqual(state);
    }
    await session.close();
  });

  it('is read without its messages', async () => {
    await using bench = await open();
    const { session } = await history(bench);
    await session.append(Array.from({ length: 300 }, () => user('more')));
    const { store, counts } = countingReads(bench.store);
    await infoAt(store, session.info, session.info.head - 1);
    expect(counts.entries).toBe(6);
    await session.close();
  });
});
