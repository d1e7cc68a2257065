import { describe, expect, it } from 'vitest';
import { newEntryId } from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  excludeEntries,
  expandCompactions,
  forkSession,
  includeEntries,
  openSession,
  pinEntries,
  unpinEntries,
} from '../../src/session/index.ts';
import { assistant, compaction, user } from '../../src/testing/index.ts';
import { type Bench, STORES } from './stores.ts';

/** A session that says a b c, compacts a and b, and is open to write. */
async function marked({ store }: Bench) {
  const session = await createSession(store, { id: 's' });
  const entries = await session.append([
    user('a'),
    assistant('b'),
    user('c'),
    compaction({ covers: { from: 1, to: 2 } }),
  ]);
  return { session, entries, a: { entry: entries[0]!.id }, node: { entry: entries[3]!.id } };
}

const PAIRS = [
  { list: 'pinned', on: pinEntries, off: unpinEntries },
  { list: 'excluded', on: excludeEntries, off: includeEntries },
  { list: 'expanded', on: expandCompactions, off: collapseCompactions },
] as const;

describe.each(STORES)('marks in a $kind store', ({ open }) => {
  it.each(PAIRS)('go on and off again, one target or many: $list', async ({ list, on, off }) => {
    await using bench = await open();
    const { session, a, node } = await marked(bench);
    const range = { from: 2, to: 3 };
    // Leaving out a part of what was summarised undoes the summary as well.
    expect(await on(session, a, range, node)).toHaveLength(list === 'excluded' ? 4 : 3);
    await on(session, a);
    expect(session.info.state[list]).toEqual([range, node, a]);
    await off(session, range);
    expect(session.info.state[list]).toEqual([node, a]);
    await off(session, a, node, range);
    expect(session.info.state[list]).toEqual([]);
    expect(session.info).toEqual(await bench.store.session('s'));
    await session.close();
  });

  it.each(PAIRS)('change no entry: $list', async ({ on }) => {
    await using bench = await open();
    const { session, entries, a, node } = await marked(bench);
    await on(session, a, node);
    expect(await session.read({ upTo: 4 })).toEqual(entries);
    await session.close();
  });

  it.each([
    ['an entry that is not there', { entry: newEntryId() }],
    ['what is no id', { entry: 'a' }],
    ['a range that is not reached yet', { from: 4, to: 5 }],
    ['a range far beyond', { from: 1, to: 2 ** 32 - 1 }],
  ])('refuse %s, and mark nothing', async (_, target) => {
    await using bench = await open();
    const { session, a } = await marked(bench);
    for (const { on } of PAIRS) {
      await expect(on(session, a, target)).rejects.toMatchObject({ code: 'entry-not-found' });
    }
    expect(await session.refresh()).toMatchObject({ head: 4, state: { pinned: [], excluded: [] } });
    await session.close();
  });

  it('know a range that others have made longer', async () => {
    await using bench = await open();
    const { session } = await marked(bench);
    await using other = await openSession(bench.store, 's', { mode: 'join' });
    await session.append([user('d')]);
    await pinEntries(other, { from: 5, to: 5 });
    await session.close();
  });

  it('can be made through a joined handle while another process writes', async () => {
    await using bench = await open();
    const { session, a } = await marked(bench);
    await using other = await openSession(bench.store, 's', { mode: 'join' });
    await pinEntries(other, a);
    await session.append([user('d')]);
    expect(session.info.state.pinned).toEqual([a]);
    await session.close();
  });

  it('cannot be made through a reading handle', async () => {
    await using bench = await open();
    const { session, a } = await marked(bench);
    await using reader = await openSession(bench.store, 's', { mode: 'read' });
    await expect(pinEntries(reader, a)).rejects.toMatchObject({ code: 'usage' });
    await session.close();
  });

  it('in a fork reach what it shares with its parent, and stay there', async () => {
    await using bench = await open();
    const { session, a } = await marked(bench);
    await forkSession(bench.store, session.info, { id: 'f', at: 2 });
    await using fork = await openSession(bench.store, 'f');
    await pinEntries(fork, a);
    expect([fork.info.state.pinned, (await session.refresh()).state.pinned]).toEqual([[a], []]);
    const [, , c] = await session.read();
    await expect(pinEntries(fork, { entry: c!.id })).rejects.toMatchObject({ code: 'entry-not-found' });
    await session.close();
  });
});
