import { describe, expect, it } from 'vitest';
import { isBlobRef } from '../../src/record/index.ts';
import {
  createSession,
  excludeEntries,
  infoAt,
  pinEntries,
  readConversation,
} from '../../src/session/index.ts';
import { assistant, compaction, mark, user } from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

describe.each(STORES)('what a context is made from, in a $kind store', ({ open }) => {
  it('is the frontier, and the pins that a compaction covers', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const entries = await session.append([user('1'), assistant('2'), user('3'), assistant('4'), user('5')]);
    const [first, , third] = entries.map(({ id }) => ({ entry: id }));
    await session.append([compaction({ covers: { from: 1, to: 4 }, summary: '1-4' })]);
    await pinEntries(session, third!, { from: 1, to: 2 }, first!, { from: 5, to: 6 });
    await excludeEntries(session, { entry: entries[1]!.id });
    const { frontier, pinned, marks } = await readConversation(store, session.info);
    expect(said(frontier)).toEqual(['[1-4]', '5']);
    expect(said(pinned)).toEqual(['1', '2', '3']);
    expect(marks).toEqual({
      pinned: session.info.state.pinned,
      excluded: [{ entry: entries[1]!.id }],
      removed: [],
    });
  });

  it('has large values in place, but not the largest', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const large = 'a large text '.repeat(5000);
    const huge = 'a huge text '.repeat(50_000);
    await session.append([user(large), user(huge)]);
    const { frontier } = await readConversation(store, session.info);
    expect(frontier[0]!.body).toEqual(user(large));
    const { body } = frontier[1]!;
    expect(body.kind === 'message' && isBlobRef(body.parts[0]?.text)).toBe(true);
  });

  it('as it was has nothing that was said later, however far a pin reaches', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    await session.append([user('1'), mark('pinned', { from: 1, to: 100 }), user('3')]);
    await session.append([user('later'), compaction({ covers: { from: 1, to: 4 } })]);
    const then = await readConversation(store, await infoAt(store, session.info, 3));
    expect([said(then.frontier), said(then.pinned)]).toEqual([['1', '3'], []]);
    const now = await readConversation(store, session.info);
    expect(said(now.pinned)).toEqual(['1', '3', 'later']);
  });
});
