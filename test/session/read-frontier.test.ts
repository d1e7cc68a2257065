import { describe, expect, it } from 'vitest';
import type { Compaction, EntryBody } from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  excludeEntries,
  expandCompactions,
  forkSession,
  openSession,
  readFrontier,
  type Session,
} from '../../src/session/index.ts';
import { assistant, compaction, mark, restoration, setting, user } from '../../src/testing/index.ts';
import { type Bench, STORES, said } from './stores.ts';

/** `from` to `to` in a few words, made of older compactions if there are any. */
function summing(from: number, to: number, children: readonly string[] = []): Compaction {
  const level = children.length > 0 ? 2 : 1;
  return compaction({ covers: { from, to }, children: [...children], level, summary: `${from}-${to}` });
}

const messages = (count: number, first = 1): EntryBody[] =>
  Array.from({ length: count }, (_, n) => (n % 2 ? assistant : user)(`${first + n}`));

async function frontier(session: Session): Promise<string[]> {
  return said(await readFrontier(session.store, await session.refresh()));
}

async function write(session: Session, body: EntryBody): Promise<{ entry: string }> {
  const [entry] = await session.append([body]);
  return { entry: entry!.id };
}

async function begin({ store }: Bench, count: number): Promise<Session> {
  const session = await createSession(store, { id: 's' });
  if (count > 0) await session.append(messages(count));
  return session;
}

describe.each(STORES)('the frontier of a session in a $kind store', ({ open }) => {
  it('is all messages when nothing is compacted, and nothing that is not a message', async () => {
    await using bench = await open();
    await using session = await begin(bench, 0);
    expect(await frontier(session)).toEqual([]);
    const [first] = await session.append([user('a'), setting('tag', 'x'), assistant('b')]);
    await excludeEntries(session, { entry: first!.id });
    expect(await frontier(session)).toEqual(['a', 'b']);
  });

  it('has a compaction where what it covers was said, not where it was written', async () => {
    await using bench = await open();
    await using session = await begin(bench, 6);
    await write(session, summing(3, 4));
    await session.append([user('7')]);
    expect(await frontier(session)).toEqual(['1', '2', '[3-4]', '5', '6', '7']);
    await write(session, summing(1, 2));
    expect(await frontier(session)).toEqual(['[1-2]', '[3-4]', '5', '6', '7']);
    await write(session, summing(5, 8));
    expect(await frontier(session)).toEqual(['[1-2]', '[3-4]', '[5-8]']);
  });

  it('opens any compaction of any level and closes it again, as it was', async () => {
    await using bench = await open();
    await using session = await begin(bench, 8);
    const left = await write(session, summing(1, 2));
    const right = await write(session, summing(5, 6));
    const top = await write(session, summing(1, 6, [left.entry, right.entry]));
    const closed = ['[1-6]', '7', '8'];
    expect(await frontier(session)).toEqual(closed);
    await expandCompactions(session, top);
    expect(await frontier(session)).toEqual(['[1-2]', '3', '4', '[5-6]', '7', '8']);
    await expandCompactions(session, right);
    expect(await frontier(session)).toEqual(['[1-2]', '3', '4', '5', '6', '7', '8']);
    await collapseCompactions(session, top);
    expect(await frontier(session)).toEqual(closed);
    await expandCompactions(session, top, left);
    expect(await frontier(session)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    await collapseCompactions(session, top, left, right);
    expect(await frontier(session)).toEqual(closed);
  });

  it('is the same, byte for byte, after compacting and expanding', async () => {
    await using bench = await open();
    await using session = await begin(bench, 6);
    const before = await readFrontier(bench.store, session.info);
    const first = await write(session, summing(1, 2));
    await expandCompactions(session, first);
    expect(await readFrontier(bench.store, session.info)).toEqual(before);
    await collapseCompactions(session, first);
    const compacted = await readFrontier(bench.store, session.info);
    const second = await write(session, summing(1, 4, [first.entry]));
    await expandCompactions(session, second);
    expect(await readFrontier(bench.store, session.info)).toEqual(compacted);
  });

  it('has what a removed compaction covered, for good', async () => {
    await using bench = await open();
    await using session = await begin(bench, 4);
    const inner = await write(session, summing(1, 2));
    const outer = await write(session, summing(1, 4, [inner.entry]));
    await session.append([mark('removed', outer.entry)]);
    expect(await frontier(session)).toEqual(['[1-2]', '3', '4']);
    await collapseCompactions(session, outer);
    expect(await frontier(session)).toEqual(['[1-2]', '3', '4']);
    await session.append([mark('removed', inner.entry)]);
    expect(await frontier(session)).toEqual(['1', '2', '3', '4']);
  });

  it('opens all compactions that were written in a range of numbers', async () => {
    await using bench = await open();
    await using session = await begin(bench, 6);
    await session.append([summing(1, 2), summing(3, 4)]);
    await expandCompactions(session, { from: 7, to: 7 });
    expect(await frontier(session)).toEqual(['1', '2', '[3-4]', '5', '6']);
    await expandCompactions(session, { from: 7, to: 8 });
    expect(await frontier(session)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('has one that was made inside an opened one, while that is open', async () => {
    await using bench = await open();
    await using session = await begin(bench, 8);
    const outer = await write(session, summing(1, 6));
    await expandCompactions(session, outer);
    const inner = await write(session, summing(2, 3));
    expect(await frontier(session)).toEqual(['1', '[2-3]', '4', '5', '6', '7', '8']);
    await expandCompactions(session, inner);
    expect(await frontier(session)).toEqual(messages(8).map((_, n) => `${n + 1}`));
    await collapseCompactions(session, inner, outer);
    expect(await frontier(session)).toEqual(['[1-6]', '7', '8']);
  });

  it('has one that was made across the end of an opened one', async () => {
    await using bench = await open();
    await using session = await begin(bench, 8);
    const outer = await write(session, summing(1, 4));
    await expandCompactions(session, outer);
    await write(session, summing(3, 6));
    expect(await frontier(session)).toEqual(['1', '2', '[3-6]', '7', '8']);
    await collapseCompactions(session, outer);
    expect(await frontier(session)).toEqual(['[1-4]', '[3-6]', '7', '8']);
  });

  it('has an end when a compaction names itself among its children, or another kind of entry', async () => {
    await using bench = await open();
    await using session = await begin(bench, 3);
    const id = '01890000-0000-7000-8000-000000000001';
    const [message] = await session.read();
    const strange = [id, message!.id, '01890000-0000-7000-8000-000000000002'];
    await session.append([{ id, body: summing(1, 2, strange) }]);
    await expandCompactions(session, { entry: id });
    expect(await frontier(session)).toEqual(['1', '2', '3']);
  });

  it('begins with the summary a session was resumed from, until that is compacted too', async () => {
    await using bench = await open();
    await using session = await begin(bench, 0);
    await session.append([restoration('p', 'before'), user('2'), assistant('3'), user('4')]);
    expect(await frontier(session)).toEqual(['[before]', '2', '3', '4']);
    await write(session, summing(2, 3));
    expect(await frontier(session)).toEqual(['[before]', '[2-3]', '4']);
    const all = await write(session, summing(1, 3));
    expect(await frontier(session)).toEqual(['[1-3]', '4']);
    await expandCompactions(session, all);
    expect(await frontier(session)).toEqual(['[before]', '2', '3', '4']);
  });

  it('has a restoration where it stands, when it is not the first entry', async () => {
    await using bench = await open();
    await using session = await begin(bench, 2);
    await session.append([restoration('p', 'restored'), user('4')]);
    expect(await frontier(session)).toEqual(['1', '2', '[restored]', '4']);
  });

  it('of a fork has what its parent had there, and is its own from then on', async () => {
    await using bench = await open();
    const { store } = bench;
    await using parent = await begin(bench, 4);
    const inner = await write(parent, summing(1, 2));
    await parent.append([user('6')]);
    await forkSession(store, parent.info, { id: 'early', at: 4 });
    await forkSession(store, parent.info, { id: 'late' });
    await using early = await openSession(store, 'early');
    await using late = await openSession(store, 'late');
    expect([await frontier(early), await frontier(late)]).toEqual([
      ['1', '2', '3', '4'],
      ['[1-2]', '3', '4', '6'],
    ]);
    await late.append([user('7')]);
    await write(late, summing(1, 6, [inner.entry]));
    expect(await frontier(late)).toEqual(['[1-6]', '7']);
    await expandCompactions(late, { from: 8, to: 8 });
    expect(await frontier(late)).toEqual(['[1-2]', '3', '4', '6', '7']);
    await write(early, summing(2, 4));
    expect(await frontier(early)).toEqual(['1', '[2-4]']);
    expect(await frontier(parent)).toEqual(['[1-2]', '3', '4', '6']);
  });
});
