import { describe, expect, it } from 'vitest';
import { isThroughlineError } from '../../src/errors.ts';
import { findSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { conversation, setting, user } from '../../src/testing/index.ts';
import { STORES } from './stores.ts';

async function withTitles(store: Store, titles: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const [id, title] of Object.entries(titles)) {
    await store.create({ id }, conversation(...(title === undefined ? [] : [setting('title', title)])));
  }
}

/** The id that is found, or the code of the error and the candidates it names. */
async function found(store: Store, reference: string, options = {}): Promise<unknown> {
  try {
    return (await findSession(store, reference, options)).id;
  } catch (error) {
    if (!isThroughlineError(error)) throw error;
    const { candidates } = error.details as { candidates?: { id: string }[] };
    return candidates ? [error.code, ...candidates.map(({ id }) => id)] : error.code;
  }
}

describe.each(STORES)('finding a session in a $kind store', ({ open }) => {
  it('takes an exact id before anything else', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { sally: undefined, sally_2: 'sally', henry: 'sally' });
    expect(await found(store, 'sally')).toBe('sally');
  });

  it('takes the start of an id that only one session has', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { sally_20251230: undefined, sally_20251231: undefined, henry_1: undefined });
    expect(await found(store, 'h')).toBe('henry_1');
    expect(await found(store, 'sally_20251231')).toBe('sally_20251231');
    expect(await found(store, 'sally_2025123')).toEqual([
      'session-ambiguous',
      'sally_20251231',
      'sally_20251230',
    ]);
    expect(await found(store, 'ally')).toBe('session-not-found');
    expect(await found(store, 'Sally_20251231')).toBe('session-not-found');
  });

  it.each(['Café Größe', 'CAFÉ GRÖßE', 'cafe\u0301 gro\u0308ße', '  café größe '])(
    'takes a title in any case and normal form: %j',
    async (reference) => {
      await using bench = await open();
      const { store } = bench;
      await withTitles(store, { one: 'Café Größe', two: 'Café', three: 'Cafe Grosse' });
      expect(await found(store, reference)).toBe('one');
    },
  );

  it('takes the first question of an untitled session for its title', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'one' }, conversation(user('Where is the lease?\nI cannot find it.')));
    expect(await found(store, 'where is the lease?')).toBe('one');
  });

  it('guesses nothing when a title and the start of an id both fit', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { auth_1: undefined, other: 'auth' });
    expect(await found(store, 'auth')).toEqual(['session-ambiguous', 'other', 'auth_1']);
  });

  it('names at most ten candidates, and says that there are more', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`s_${n}`, 'same'])));
    const error = await findSession(store, 'same').catch((reason) => reason);
    expect(error).toMatchObject({ code: 'session-ambiguous' });
    expect(error.details.candidates).toHaveLength(10);
    expect(error.details.candidates[0]).toEqual({
      id: 's_13',
      title: 'same',
      updatedAt: bench.clock.now(),
    });
    expect(error.message).toContain('…');
  });

  it('knows how many fit however many of them are in the trash', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { x_first: undefined, x_second: undefined });
    const trash = conversation(setting('trashed', true));
    bench.clock.advance(1);
    for (let n = 0; n < 10; n++) await store.create({ id: `x_trashed_${n}` }, trash);
    expect(await found(store, 'x_')).toEqual(['session-ambiguous', 'x_second', 'x_first']);
    for (let n = 10; n < 60; n++) await store.create({ id: `x_trashed_${n}` }, trash);
    expect(await found(store, 'x_')).toEqual(['session-ambiguous', 'x_second', 'x_first']);
    await store.append('x_first', trash);
    expect(await found(store, 'x_')).toBe('x_second');
  });
});

describe.each(STORES)('the trash of a $kind store', ({ open }) => {
  const trashed = (title: string) => conversation(setting('title', title), setting('trashed', true));

  it('is left out, unless it is asked for or the exact id is given', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 'gone_1' }, trashed('Old plan'));
    expect(await found(store, 'Old plan')).toBe('session-not-found');
    expect(await found(store, 'gone')).toBe('session-not-found');
    expect(await found(store, 'gone_1')).toBe('gone_1');
    expect(await found(store, 'Old plan', { trashed: true })).toBe('gone_1');
    await store.create({ id: 'gone_2' });
    expect(await found(store, 'gone')).toBe('gone_2');
  });

  it('is named when it holds the query', async () => {
    await using bench = await open();
    await bench.store.create({ id: 'gone_1' }, trashed('Old plan'));
    await expect(findSession(bench.store, 'old plan')).rejects.toThrow(/gone_1 is in the trash/);
  });

  it('hides nothing that is only archived', async () => {
    await using bench = await open();
    await bench.store.create({ id: 'kept_1' }, conversation(setting('archived', true)));
    expect(await found(bench.store, 'kept')).toBe('kept_1');
  });
});

describe.each(STORES)('a number of the last list, in a $kind store', ({ open }) => {
  const list = ['b', 'a', 'c'];

  it('means that line of the list', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { a: undefined, b: undefined, c: undefined, '2nd': undefined });
    expect(await found(store, '1', { list })).toBe('b');
    expect(await found(store, '2', { list })).toBe('a');
    expect(await found(store, '2n', { list })).toBe('2nd');
  });

  it.each([
    [['b', 'a', 'c'], 'The last list had 3 lines.'],
    [['b'], 'The last list had 1 line.'],
    [[], 'The last list had 0 lines.'],
    [undefined, 'A number is one of the last list, and there is none here'],
  ])('never is the start of an unseen id, with a list of %j', async (lines, why) => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { a: undefined, b: undefined, c: undefined, '4a0fa61d-77': '4711' });
    const given = lines ? { list: lines } : {};
    for (const reference of ['4', '00', '04'])
      await expect(findSession(store, reference, { ...given, trashed: true })).rejects.toThrow(why);
    expect(await found(store, '4a', given)).toBe('4a0fa61d-77');
    expect(await found(store, '4711', given)).toBe('4a0fa61d-77');
  });

  it('from five digits on is the start of an id again, unless the list is as long', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { a: undefined, '20251230_sally': undefined });
    expect(await found(store, '20251')).toBe('20251230_sally');
    expect(await found(store, '2025')).toBe('session-not-found');
    expect(await found(store, '20251', { list: Array.from({ length: 20_251 }, () => 'a') })).toBe('a');
  });

  it('takes the id of a purged session for no start, title or number of another one', async () => {
    await using bench = await open();
    const { store } = bench;
    for (const id of ['talk', 'talk_2']) await store.create({ id });
    await store.purge('talk');
    await expect(findSession(store, 'talk')).rejects.toMatchObject({ code: 'session-gone' });
    expect((await findSession(store, 'talk_')).id).toBe('talk_2');
    await withTitles(store, { other: 'talk', another: 'Talk', '1': undefined });
    await store.purge('1');
    for (const [purged, trashed] of [
      ['talk', false],
      ['talk', true],
      ['1', false],
    ] as const)
      expect(await found(store, purged, { trashed, list: ['other'] })).toBe('session-gone');
    expect(await found(store, 'Talk')).toEqual(['session-ambiguous', 'another', 'other']);
  });

  it('says so when what stood there was purged', async () => {
    await using bench = await open();
    for (const list of [['', 'a'], ['gone']])
      await expect(findSession(bench.store, '1', { list })).rejects.toThrow(
        'What was on line 1 of the last list was purged.',
      );
  });

  it.each(['0', '4', '-1', '1.5', '01', '1e0', '+1', '99999999999999999999', ' 1', '１'])(
    'is no number of it: %s',
    async (reference) => {
      await using bench = await open();
      await withTitles(bench.store, { a: undefined, b: undefined, c: undefined });
      expect(await found(bench.store, reference, { list })).toBe('session-not-found');
    },
  );

  it('says how long the list was', async () => {
    await using bench = await open();
    await expect(findSession(bench.store, '7', { list })).rejects.toThrow('The last list had 3 lines.');
  });

  it('gives way to a session of that very id, and competes with one of that very title', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { a: undefined, b: undefined, c: '2', '3': undefined });
    expect(await found(store, '3', { list })).toBe('3');
    expect(await found(store, '2', { list })).toEqual(['session-ambiguous', 'a', 'c']);
    expect(await found(store, '2', { list: ['b', 'c'] })).toBe('c');
  });

  it('competes with a title however many ids begin with it', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { a: undefined, b: undefined, titled: '2' });
    bench.clock.advance(1);
    for (let n = 0; n < 30; n++) await store.create({ id: `2${n}` });
    expect(await found(store, '2', { list })).toEqual(['session-ambiguous', 'a', 'titled']);
  });

  it('never means another session when the one on that line is gone', async () => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { b: undefined, '2nd': undefined });
    expect(await found(store, '2', { list })).toBe('session-not-found');
    await expect(findSession(store, '2', { list })).rejects.not.toThrow('trash');
  });

  it('finds what the list showed of the trash', async () => {
    await using bench = await open();
    await bench.store.create({ id: 'b' }, conversation(setting('trashed', true)));
    expect(await found(bench.store, '1', { list })).toBe('b');
  });
});

describe.each(STORES)('a reference that names nothing in a $kind store', ({ open }) => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \t\n'],
    ['a path upwards', '../one'],
    ['an absolute path', '/etc/passwd'],
    ['a path of Windows', '..\\one'],
    ['a wildcard', '%'],
    ['a wildcard behind a start', 'on%'],
    ['a wildcard for one character', 'on_'],
    ['a pattern', 'on*'],
    ['a quote', "one' or '1'='1"],
    ['a double quote', 'one"'],
    ['a NUL', '\0'],
    ['an id with a NUL behind it', 'one\0'],
    ['half a character', 'one\ud800'],
    ['the last character there is', '\u{10ffff}'],
    ['something huge', 'one'.repeat(1_000_000)],
    ['a name of the language', '__proto__'],
  ])('is not found: %s', async (_, reference) => {
    await using bench = await open();
    const { store } = bench;
    await withTitles(store, { one: 'A title', two: undefined, three: '   ' });
    expect(await found(store, reference, { list: ['one'] })).toBe('session-not-found');
  });

  it('is not repeated in full when it is huge', async () => {
    await using bench = await open();
    const error = await findSession(bench.store, 'x'.repeat(1_000_000)).catch((reason) => reason);
    expect(error.message.length).toBeLessThan(1000);
  });

  it('finds a UUID by its start in either case, and other ids by their very letters', async () => {
    await using bench = await open();
    const { store } = bench;
    const id = 'abc12def-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
    for (const other of [id, 'abc12def_2', 'bead']) await store.create({ id: other });
    for (const start of ['ABC12DEF', 'AbC12', 'ABC12DEF-4E', 'abc12def-'])
      expect(await found(store, start)).toBe(id);
    expect(await found(store, 'BEA')).toBe('session-not-found');
  });

  it('finds a title that is full of such characters', async () => {
    await using bench = await open();
    const { store } = bench;
    const title = `100 % "sure"; drop_table's \u{1f4a5}`;
    await withTitles(store, { one: title, two: '100 % "sure"; dropXtable\'s \u{1f4a5}' });
    expect(await found(store, title.toUpperCase())).toBe('one');
  });
});
