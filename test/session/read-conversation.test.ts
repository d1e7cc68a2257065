import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  excludeEntries,
  infoAt,
  pinEntries,
  readConversation,
} from '../../src/session/index.ts';
import { assistant, compaction, mark, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { STORES, said } from './stores.ts';

describe.each(STORES)('what a context is made from, in a $kind store', ({ open }) => {
  it('is the frontier, and the pins that a compaction covers', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const entries = await session.append([user('1'), assistant('2'), user('3'), assistant('4'), user('5')]);
    const [first, , third] = entries.map(({ id }) => ({ entry: id }));
    await excludeEntries(session, { entry: entries[1]!.id });
    await session.append([compaction({ covers: { from: 1, to: 4 }, summary: '1-4' })]);
    await pinEntries(session, third!, { from: 1, to: 2 }, first!, { from: 5, to: 6 });
    const { frontier, pinned, marks } = await readConversation(store, session.info);
    expect(said(frontier)).toEqual(['[1-4]', '5']);
    expect(said(pinned)).toEqual(['1', '2', '3']);
    expect(marks).toEqual({
      pinned: session.info.state.pinned,
      excluded: [{ entry: entries[1]!.id }],
      removed: [],
    });
  });

  it('has messages of people and new ones in place, but not the largest outputs of earlier turns', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const large = 'a large text '.repeat(5000);
    const huge = 'a huge text '.repeat(50_000);
    const read = (id: string, output: string) => [
      toolCall('read', {}, { id }),
      toolResult('read', output, { id }),
    ];
    const old = [user(huge), ...read('a', large), ...read('b', huge), ...read('c', huge)];
    const newest = [user(`${huge}?`), ...read('d', huge)];
    const entries = await session.append([...old, ...newest]);
    await pinEntries(session, { entry: entries[6]!.id });
    const { frontier } = await readConversation(store, session.info);
    const changed = frontier.filter(
      ({ body }, index) => !isDeepStrictEqual(body, [...old, ...newest][index]),
    );
    expect(changed.map(({ seq }) => seq)).toEqual([5]);
    expect(JSON.stringify(changed)).toContain('"$blob"');
  });

  it('has every pin that a compaction covers in place, whatever its size', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const huge = 'a huge text '.repeat(50_000);
    const [first] = await session.append([user(huge), assistant('2'), user('3')]);
    await session.append([compaction({ covers: { from: 1, to: 2 } })]);
    await pinEntries(session, { entry: first!.id });
    const { pinned } = await readConversation(store, session.info);
    expect(pinned.map(({ body }) => body)).toEqual([user(huge)]);
  });

  it('has no more old values in place than one request could carry, the newest first', async () => {
    await using bench = await open();
    const { store } = bench;
    await using session = await createSession(store, { id: 's' });
    const film = (n: number) =>
      user([{ type: 'file', mediaType: 'video/mp4', data: Buffer.alloc(9_000_000, n).toString('base64') }]);
    await session.append([film(1), film(2), film(3), film(4)]);
    const { frontier } = await readConversation(store, session.info);
    const whole = frontier.map(({ body }) => !JSON.stringify(body).includes('"$blob"'));
    expect(whole).toEqual([false, true, true, true]);
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
