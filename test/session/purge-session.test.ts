import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSession,
  forkSession,
  getSession,
  mirrorFile,
  openSession,
  purgeSession,
  restoreSession,
  trashSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, conversation, setting, user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';
import { STORES, said } from './stores.ts';

async function trashed(store: Store, id: string) {
  await trashSession(store, id);
  return (await store.session(id))!;
}

describe.each(STORES)('purging a session of a $kind store', ({ open }) => {
  it('deletes it for good, from the trash', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, conversation(user('a'), assistant('b')));
    expect(await purgeSession(store, await trashed(store, 's'))).toMatchObject({ entries: 3, blobs: 0 });
    expect(await store.session('s')).toBeUndefined();
    await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'session-gone' });
  });

  it('is refused when it is not in the trash, and says how to put it there', async () => {
    await using bench = await open();
    const info = await bench.store.create({ id: 's' }, conversation(user('a')));
    const purging = purgeSession(bench.store, info);
    await expect(purging).rejects.toMatchObject({ code: 'session-not-trashed', details: { session: 's' } });
    await expect(purging).rejects.toThrow('Put it there first.');
    expect(said(await bench.store.read('s'))).toEqual(['a']);
  });

  it('is refused when it was taken out of the trash since the look', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' }, conversation(user('a')));
    const seen = await trashed(store, 's');
    await restoreSession(store, 's');
    await expect(purgeSession(store, seen)).rejects.toMatchObject({ code: 'session-not-trashed' });
    expect(said(await store.read('s', { only: 'messages' }))).toEqual(['a']);
  });

  it('is refused while another process writes in it', async () => {
    await using bench = await open();
    const { store } = bench;
    const session = await createSession(store, { id: 's' });
    const info = await trashed(store, 's');
    await expect(purgeSession(store, info)).rejects.toMatchObject({ code: 'lease-held' });
    await session.append([user('still here')]);
    await session.close();
    await purgeSession(store, info);
  });

  it('is refused while others were forked from it', async () => {
    await using bench = await open();
    const { store } = bench;
    const parent = await store.create({ id: 'p' }, conversation(user('a')));
    await forkSession(store, parent, { id: 'f' });
    const info = await trashed(store, 'p');
    await expect(purgeSession(store, info)).rejects.toMatchObject({
      code: 'session-has-forks',
      details: { forks: ['f'] },
    });
    await purgeSession(store, await trashed(store, 'f'));
    await purgeSession(store, info);
    expect(await store.count()).toEqual({ active: 0, archived: 0, trashed: 0 });
  });

  it('keeps its id for good: nothing that is called so is opened, made or written to', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const first = await createSession(store, { id: 's', title: 'Old', tags: ['x'] });
    await first.append(conversation(user('old')));
    await first.close();
    const other = await store.create({ id: 's_2' }, conversation(setting('title', 's')));
    await purgeSession(store, await trashed(store, 's'));
    const details = { session: 's', purgedAt: clock.now() };
    for (const use of [
      () => getSession(store, 's'),
      () => openSession(store, 's'),
      () => openSession(store, 's', { mode: 'read' }),
      () => createSession(store, { id: 's' }),
      () => forkSession(store, other, { id: 's' }),
      () => trashSession(store, 's'),
    ])
      await expect(use()).rejects.toMatchObject({ code: 'session-gone', details });
    expect(await store.session('s_2')).toEqual(other);
  });

  it('keeps a made id from being made again', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    const made = await createSession(store, {}, { now: clock.now });
    await made.close();
    await purgeSession(store, await trashed(store, made.id));
    await using next = await createSession(store, {}, { now: clock.now });
    expect(next.id).toBe(made.id.replace('session_', 'session_b_'));
  });

  it('says so when it is gone already', async () => {
    await using bench = await open();
    const { store } = bench;
    await store.create({ id: 's' });
    const info = await trashed(store, 's');
    await purgeSession(store, info);
    await expect(purgeSession(store, info)).rejects.toMatchObject({ code: 'session-gone' });
  });
});

describe('purging a session that was chatted in', () => {
  it('deletes its transcript, and no other', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'));
    for (const id of ['s', 's.md.2']) await store.create({ id }, conversation(user('a')));
    const file = (id: string) => mirrorFile(store.facts.location, id);
    mkdirSync(path.dirname(file('s')));
    const left = `${file('s')}.0123456789ab`;
    for (const name of [file('s'), left, file('s.md.2')]) writeFileSync(name, 'a');
    await purgeSession(store, await trashed(store, 's'));
    expect([file('s'), left, file('s.md.2')].map((name) => existsSync(name))).toEqual([false, false, true]);
  });

  it('leaves no transcript of a session that is gone, wherever it is cut short', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'));
    await store.create({ id: 's' }, conversation(user('a')));
    const file = mirrorFile(store.facts.location, 's');
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'a');
    const info = await trashed(store, 's');
    const left: boolean[] = [];
    const watched: Store = {
      ...store,
      purge: (id) => {
        left.push(existsSync(file));
        return store.purge(id);
      },
    };
    await purgeSession(watched, info);
    expect(left).toEqual([false]);
  });
});

it('says so when the transcript cannot be looked for', async () => {
  using folder = tempFolder();
  await using store = await openSqliteStore(folder.file('store.db'));
  await store.create({ id: 's' }, [{ body: user('a') }]);
  symlinkSync('transcripts', folder.file('transcripts'));
  await expect(purgeSession(store, await trashed(store, 's'))).rejects.toMatchObject({ code: 'ELOOP' });
});
