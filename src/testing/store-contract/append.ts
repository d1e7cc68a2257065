import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { type EntryBody, isEntryId, newEntryId } from '../../record/index.ts';
import { assistant, conversation, system, toolCall, toolResult, user } from '../messages.ts';
import { compaction, mark, restoration, setting } from '../notes.ts';
import { promise, said } from './promise.ts';

export const appendPromises = [
  promise('numbers entries 1, 2, 3 in the order they were given', async ({ store }) => {
    await store.create({ id: 's' });
    const first = await store.append('s', conversation(user('a'), assistant('b')));
    const second = await store.append('s', conversation(user('c')));
    deepEqual(
      [...first, ...second].map(({ seq }) => seq),
      [1, 2, 3],
    );
    deepEqual(said(await store.read('s')), ['a', 'b', 'c']);
    equal((await store.session('s'))?.head, 3);
  }),

  promise('returns the entries as a later read does', async ({ store }) => {
    await store.create({ id: 's' });
    const call = toolCall('read_file', { path: 'a.ts', lines: [1, 2.5, -3] });
    const appended = await store.append(
      's',
      conversation(system('Be brief.'), user('a'), call, toolResult('read_file', 'x')),
    );
    deepEqual(await store.read('s'), appended);
  }),

  promise('keeps the id and time it is given, and makes them otherwise', async ({ store, clock }) => {
    await store.create({ id: 's' });
    const id = newEntryId();
    const [given, made, another] = await store.append('s', [
      { id, at: 1234, body: user('a') },
      { body: user('b') },
      { body: user('b') },
    ]);
    deepEqual([given?.id, given?.at], [id, 1234]);
    equal(made?.at, clock.now());
    ok(isEntryId(made!.id) && made!.id !== another!.id);
  }),

  promise('keeps nothing of an append with one entry that is not valid', async ({ store }) => {
    const before = await store.create({ id: 's' });
    const misspelt = { ...user('b'), rol: 'user' } as EntryBody;
    const appending = store.append('s', [{ body: user('a') }, { body: misspelt }, { body: user('c') }]);
    await rejects(appending, { code: 'entry-invalid' });
    deepEqual(await store.read('s'), []);
    deepEqual(await store.session('s'), before);
  }),

  promise('refuses an id that is not a UUID and a time that is none', async ({ store }) => {
    await store.create({ id: 's' });
    const body = user('a');
    const wrong = [
      { id: 'a', body },
      { at: Number.NaN, body },
      { at: 1.5, body },
    ];
    for (const entry of wrong) await rejects(store.append('s', [entry]), { code: 'entry-invalid' });
    deepEqual(await store.read('s'), []);
  }),

  promise('refuses what could not be written down without loss', async ({ store }) => {
    await store.create({ id: 's' });
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    const values = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
      1n,
      Symbol('s'),
      new Map(),
      circle,
      new Float32Array(2),
    ];
    for (const value of values) {
      const body = user([{ type: 'data', value: [{ value }] }]);
      await rejects(store.append('s', [{ body }]), { code: 'entry-invalid' });
    }
    deepEqual(await store.read('s'), []);
  }),

  promise('names the session when there is none of that id', async ({ store }) => {
    await rejects(store.append('nowhere', [{ body: user('a') }]), (error: Error & { code?: string }) => {
      equal(error.code, 'session-not-found');
      match(error.message, /nowhere/);
      return true;
    });
  }),

  promise('takes an empty append for what it is', async ({ store }) => {
    const before = await store.create({ id: 's' });
    deepEqual(await store.append('s', []), []);
    deepEqual(await store.session('s'), before);
  }),

  promise('gives fifty parallel appends fifty places', async ({ store }) => {
    await store.create({ id: 's' });
    const texts = Array.from({ length: 50 }, (_, n) => `number ${n}`);
    const appended = await Promise.all(texts.map((text) => store.append('s', [{ body: user(text) }])));
    deepEqual(
      appended
        .flat()
        .map(({ seq }) => seq)
        .sort((a, b) => a - b),
      texts.map((_, n) => n + 1),
    );
    const entries = await store.read('s');
    deepEqual(said(entries).sort(), [...texts].sort());
    deepEqual(
      entries.map(({ seq }) => seq),
      texts.map((_, n) => n + 1),
    );
    equal((await store.session('s'))?.totals.messages, 50);
  }),

  promise('never mixes the entries of two parallel appends', async ({ store }) => {
    await store.create({ id: 's' });
    const turn = (n: number) =>
      conversation(user(`ask ${n}`), assistant(`think ${n}`), assistant(`answer ${n}`));
    await Promise.all(Array.from({ length: 10 }, (_, n) => store.append('s', turn(n))));
    const texts = said(await store.read('s'));
    for (let i = 0; i < texts.length; i += 3) {
      const n = texts[i]!.split(' ')[1];
      deepEqual(texts.slice(i, i + 3), [`ask ${n}`, `think ${n}`, `answer ${n}`]);
    }
  }),

  promise('counts messages, questions and tokens, and nothing else as a message', async ({ store }) => {
    await store.create({ id: 's' });
    const entries = await store.append(
      's',
      conversation(
        system('Be brief.'),
        user('What is a lease?'),
        assistant('The right to append.'),
        toolCall('look'),
        toolResult('look', 'found'),
        setting('model', 'large'),
        compaction({ covers: { from: 1, to: 2 } }),
        user('And a fork?'),
      ),
    );
    const messages = entries.filter(({ body }) => body.kind === 'message');
    const tokens = messages.reduce((sum, entry) => sum + entry.tokens, 0);
    ok(messages.every((entry) => entry.tokens > 0));
    deepEqual((await store.session('s'))?.totals, { messages: 6, queries: 2, tokens });
  }),

  promise('adds up what model calls used, compactions and acknowledgements too', async ({ store }) => {
    await store.create({ id: 's' });
    const usage = { inputTokens: 10, outputTokens: 5 };
    const acknowledged = {
      ...restoration('p'),
      acknowledgement: { parts: [], usage: { ...usage, cost: 0.25 } },
    };
    await store.append(
      's',
      conversation(
        acknowledged,
        user('a'),
        assistant('b', { usage: { ...usage, cacheReadTokens: 3 } }),
        compaction({ covers: { from: 1, to: 2 }, usage: { ...usage, cost: 0.5 } }),
      ),
    );
    const expected = { inputTokens: 30, outputTokens: 15, cacheReadTokens: 3, cost: 0.75 };
    deepEqual((await store.session('s'))?.usage, expected);
  }),

  promise('moves a session up when something is said, not when it is marked', async ({ store, clock }) => {
    const { createdAt } = await store.create({ id: 's' });
    const [question] = await store.append('s', [{ body: user('a') }]);
    clock.advance(1000);
    await store.append('s', conversation(mark('pinned', question!.id), setting('tag', 'later')));
    equal((await store.session('s'))?.updatedAt, createdAt);
    await store.append('s', [{ body: assistant('b') }]);
    equal((await store.session('s'))?.updatedAt, createdAt + 1000);
  }),

  promise('does not move a session back for an entry of long ago', async ({ store, clock }) => {
    await store.create({ id: 's' });
    await store.append('s', [{ at: clock.now() + 500, body: user('a') }]);
    await store.append('s', [{ at: 1, body: assistant('b') }]);
    equal((await store.session('s'))?.updatedAt, clock.now() + 500);
  }),

  promise('keeps what was appended, whatever becomes of the objects handed in', async ({ store }) => {
    await store.create({ id: 's' });
    const part = { type: 'text', text: 'before', note: { deep: ['before'] } };
    const [entry] = await store.append('s', [
      { body: user([part]) },
      { body: setting('limits', { hours: 1 }) },
    ]);
    const stored = structuredClone(await store.read('s'));
    part.text = 'after';
    part.note.deep.push('after');
    Object.assign(entry!.body, { role: 'system' });
    deepEqual(await store.read('s'), stored);
  }),

  promise('keeps every session to itself', async ({ store }) => {
    await store.create({ id: 'a' }, [{ body: user('in a') }]);
    await store.create({ id: 'b' }, [{ body: user('in b') }]);
    const [entry] = await store.append('a', [{ body: user('more in a') }]);
    deepEqual(said(await store.read('b')), ['in b']);
    equal(await store.entry('b', entry!.id), undefined);
    equal((await store.session('b'))?.head, 1);
  }),
];
