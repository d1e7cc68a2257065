import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type Entry, newEntryId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { assistant, conversation, user } from '../messages.ts';
import { compaction, foreign, mark, setting } from '../notes.ts';
import { claimOf, promise, said } from './promise.ts';

/** Five messages, `a` to `e`. */
async function fiveMessages(store: Store): Promise<void> {
  await store.create(
    { id: 's' },
    conversation(user('a'), assistant('b'), user('c'), assistant('d'), user('e')),
  );
}

export const readPromises = [
  promise('reads a session without entries as empty', async ({ store }) => {
    await store.create({ id: 's' });
    deepEqual(await store.read('s', { order: 'newest-first', limit: 3, only: 'notes' }), []);
  }),

  promise('reads oldest first unless told otherwise', async ({ store }) => {
    await fiveMessages(store);
    deepEqual(said(await store.read('s')), ['a', 'b', 'c', 'd', 'e']);
    deepEqual(said(await store.read('s', { order: 'newest-first' })), ['e', 'd', 'c', 'b', 'a']);
  }),

  promise('reads what is strictly after one entry and up to and including another', async ({ store }) => {
    await fiveMessages(store);
    deepEqual(said(await store.read('s', { after: 2 })), ['c', 'd', 'e']);
    deepEqual(said(await store.read('s', { upTo: 2 })), ['a', 'b']);
    deepEqual(said(await store.read('s', { after: 1, upTo: 4 })), ['b', 'c', 'd']);
    deepEqual(said(await store.read('s', { after: 1, upTo: 4, order: 'newest-first' })), ['d', 'c', 'b']);
  }),

  promise('reads nothing from a range that holds nothing', async ({ store }) => {
    await fiveMessages(store);
    for (const range of [
      { after: 5 },
      { after: 99 },
      { upTo: 0 },
      { after: 3, upTo: 3 },
      { after: 4, upTo: 2 },
    ]) {
      deepEqual(await store.read('s', range), []);
    }
    deepEqual(said(await store.read('s', { after: 3, upTo: 99 })), ['d', 'e']);
  }),

  promise('counts a limit in the order asked for', async ({ store }) => {
    await fiveMessages(store);
    deepEqual(said(await store.read('s', { limit: 2 })), ['a', 'b']);
    deepEqual(said(await store.read('s', { limit: 2, order: 'newest-first' })), ['e', 'd']);
    deepEqual(said(await store.read('s', { after: 1, upTo: 4, limit: 2, order: 'newest-first' })), [
      'd',
      'c',
    ]);
    deepEqual(await store.read('s', { limit: 0 }), []);
    equal((await store.read('s', { limit: 99 })).length, 5);
  }),

  promise('reads a long session page by page, every entry once', async ({ store }) => {
    const texts = Array.from({ length: 103 }, (_, n) => `${n}`);
    await store.create({ id: 's' }, conversation(...texts.map((text) => user(text))));
    const pages: Entry[] = [];
    for (let after = 0; ; after = pages.at(-1)!.seq) {
      const page = await store.read('s', { after, limit: 10 });
      if (page.length === 0) break;
      pages.push(...page);
    }
    deepEqual(said(pages), texts);
  }),

  promise('reads only messages, or only what is not a message', async ({ store }) => {
    await store.create(
      { id: 's' },
      conversation(
        user('a'),
        mark('pinned', { from: 1, to: 1 }),
        assistant('b'),
        foreign('hologram'),
        compaction({ covers: { from: 1, to: 3 } }),
        user('c'),
        setting('tag', 'x'),
      ),
    );
    const seqs = async (range: Parameters<Store['read']>[1]) =>
      (await store.read('s', range)).map(({ seq }) => seq);
    deepEqual(await seqs({ only: 'messages' }), [1, 3, 6]);
    deepEqual(await seqs({ only: 'notes' }), [2, 4, 5, 7]);
    deepEqual(await seqs({ only: 'notes', after: 2, limit: 2 }), [4, 5]);
    deepEqual(await seqs({ only: 'notes', order: 'newest-first', limit: 2 }), [7, 5]);
    deepEqual(await seqs({ only: 'messages', order: 'newest-first', upTo: 5, limit: 1 }), [3]);
  }),

  promise('finds one entry by its id', async ({ store }) => {
    await store.create({ id: 's' });
    const appended = await store.append('s', conversation(user('a'), mark('pinned', { from: 1, to: 1 })));
    for (const entry of appended) deepEqual(await store.entry('s', entry.id), entry);
    equal(await store.entry('s', newEntryId()), undefined);
  }),

  promise('finds many entries of many sessions at once, in the order they are named', async ({ store }) => {
    await store.create({ id: 's' });
    const [a, b, c] = await store.append('s', conversation(user('a'), assistant('b'), user('c')));
    await store.create({ id: 'fork', parent: { session: 's', seq: 2, relation: 'fork' } });
    const [d] = await store.append('fork', conversation(user('d')));
    const named: [string, Entry | undefined, string?][] = [
      ['fork', d],
      ['s', c],
      ['fork', a],
      ['fork', undefined, c!.id],
      ['s', undefined, d!.id],
      ['nowhere', undefined, a!.id],
      ['s', undefined, newEntryId()],
      ['s', undefined, 'no id at all'],
      ['s', b],
      ['s', b],
    ];
    const asked = named.map(([session, entry, id]) => ({ session, entry: id ?? entry!.id }));
    deepEqual(
      await store.entries(asked),
      named.map(([, entry]) => entry),
    );
    deepEqual(await store.entries([]), []);
  }),

  promise('can be probed: that changes nothing, and nothing is in its way', async ({ store }) => {
    const before = await store.create({ id: 's' });
    const appended = await store.append('s', conversation(user('a')));
    await store.claimLease('s', claimOf('mine'));
    await Promise.all([store.probe(), store.probe()]);
    deepEqual(await store.read('s'), appended);
    deepEqual((await store.list({ limit: 9 })).sessions.length, 1);
    equal((await store.session('s'))?.createdAt, before.createdAt);
    equal((await store.verify()).problems.length, 0);
  }),

  promise('does not read a session that is not there', async ({ store }) => {
    await rejects(store.read('nowhere'), { code: 'session-not-found' });
    await rejects(store.entry('nowhere', newEntryId()), { code: 'session-not-found' });
  }),

  promise('reads while others write: what is there is whole and in order', async ({ store }) => {
    await store.create({ id: 's' });
    const turn = (n: number) => conversation(user(`ask ${n}`), assistant(`answer ${n}`));
    const writing = Promise.all(Array.from({ length: 10 }, (_, n) => store.append('s', turn(n))));
    const seen = await Promise.all(Array.from({ length: 10 }, () => store.read('s')));
    await writing;
    for (const entries of seen) {
      equal(entries.length % 2, 0);
      deepEqual(
        entries.map(({ seq }) => seq),
        entries.map((_, index) => index + 1),
      );
    }
  }),
];
