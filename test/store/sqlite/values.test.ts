import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/record/index.ts';
import { entryCrc } from '../../../src/store/entry-format.ts';
import { assistant, conversation, setting, user } from '../../../src/testing/index.ts';
import { openFile } from '../../session/stores.ts';

describe('what a file holds', () => {
  it.each([
    ['parts of tokens', 1.5],
    ['more than can be counted exactly', 2 ** 60],
    ['more than an integer can hold', 1e300],
  ])('comes back when a provider reports %s', async (_, inputTokens) => {
    await using bench = await openFile();
    const { store } = bench;
    const usage = { inputTokens, outputTokens: 0.25, reasoningTokens: inputTokens, cost: 0.1 };
    await store.create({ id: 's' }, conversation(user('a'), assistant('b', { usage })));
    await store.append('s', conversation(user('c')));
    expect((await store.session('s'))!.usage).toEqual(usage);
    expect((await store.list({ limit: 1 })).sessions[0]!.usage).toEqual(usage);
    expect((await store.verify()).problems).toEqual([]);
    expect((await store.rebuild()).changed).toEqual([]);
  });

  it('adds up sums beyond the largest integer', async () => {
    await using bench = await openFile();
    const { store } = bench;
    const usage = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1 };
    await store.create({ id: 's' }, conversation(assistant('a', { usage }), assistant('b', { usage })));
    await store.create({ id: 't' });
    expect((await store.session('s'))!.usage.inputTokens).toBe(2 * Number.MAX_SAFE_INTEGER);
    expect((await store.verify()).problems).toEqual([]);
  });

  it('is a repeat although an older version counted and previewed it differently', async () => {
    await using bench = await openFile();
    const { store, file } = bench;
    const long = conversation(user('a long text '.repeat(5000)));
    await store.create({ id: 's' }, long);
    const [{ id, at }] = (await store.read('s')) as [Entry];
    const db = new DatabaseSync(file);
    const { body } = db.prepare('select body from entries').get() as { body: string };
    const json = body.replace(/"tokens":\d+/, '"tokens":7').replace(/"preview":"[^"]*"/, '"preview":"a"');
    expect(json).not.toBe(body);
    db.prepare('update entries set body = ?, crc = ?').run(json, entryCrc({ id, at, json }));
    db.close();
    expect((await store.append('s', long)).map(({ seq }) => seq)).toEqual([1]);
    expect((await store.session('s'))!.head).toBe(1);
  });

  it('is no repeat when it is damaged, and the damage is reported', async () => {
    await using bench = await openFile();
    const { store, file } = bench;
    const said = conversation(user('a'), assistant('b'));
    await store.create({ id: 's' }, said);
    expect(await store.append('s', said)).toEqual(await store.read('s'));
    const db = new DatabaseSync(file);
    db.exec('update entries set crc = crc + 1 where position & 4294967295 = 2');
    db.close();
    await expect(store.append('s', said)).rejects.toMatchObject({ code: 'entry-unreadable' });
    await expect(store.append('s', said.slice(0, 1))).resolves.toHaveLength(1);
  });

  it('is found in the order of the last word, also for the session being written to', async () => {
    await using bench = await openFile();
    const { store, clock } = bench;
    for (const id of ['x1', 'x2', 'x3', 'x4']) {
      await store.create({ id }, conversation(user('same')));
      clock.advance(1);
    }
    await store.append('x1', conversation(user('once more')));
    const found = async (text: string, limit: number) =>
      (await store.find(text, { limit })).map(({ id }) => id);
    for (const text of ['x', 'same']) {
      expect(await found(text, 9)).toEqual(['x1', 'x4', 'x3', 'x2']);
      expect(await found(text, 2)).toEqual(['x1', 'x4']);
    }
    clock.advance(1);
    await store.append('x3', conversation(user('last'), setting('tag', 'x')));
    expect(await found('x', 3)).toEqual(['x3', 'x1', 'x4']);
    expect(await found('x1', 1)).toEqual(['x1']);
  });
});
