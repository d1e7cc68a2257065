import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  forkSession,
  hideSession,
  type LineageNode,
  purgeSession,
  readLineage,
  resumeSession,
  trashSession,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { conversation, summaryOf, user } from '../../src/testing/index.ts';
import { type Bench, openFile, STORES } from './stores.ts';

type Tree = { readonly [id: string]: Tree };

/** The ids of a family, parents above children. */
function treeOf({ session, children }: LineageNode): Tree {
  return { [session.id]: Object.assign({}, ...children.map(treeOf)) as Tree };
}

async function infoOf(store: Store, id: string) {
  return (await store.session(id))!;
}

async function fork({ store, clock }: Bench, parent: string, id: string): Promise<void> {
  clock.advance(1);
  await forkSession(store, await infoOf(store, parent), { id, now: clock.now });
}

async function resume({ store, clock }: Bench, parent: string, id: string): Promise<void> {
  clock.advance(1);
  const options = { summary: summaryOf(parent), birth: { id }, now: clock.now };
  await (await resumeSession(store, await infoOf(store, parent), options)).close();
}

async function purge(store: Store, id: string): Promise<void> {
  await trashSession(store, id);
  await purgeSession(store, await infoOf(store, id));
}

/** a is forked into b and c, b resumed into d, d forked into e; f is nobody's. */
async function family(bench: Bench): Promise<void> {
  await bench.store.create({ id: 'a', createdAt: bench.clock.now() }, conversation(user('hello')));
  await bench.store.create({ id: 'f' });
  await fork(bench, 'a', 'b');
  await fork(bench, 'a', 'c');
  await resume(bench, 'b', 'd');
  await fork(bench, 'd', 'e');
}

describe.each(STORES)('the lineage of a session in a $kind store', ({ open }) => {
  it.each(['a', 'b', 'c', 'd', 'e'])('is the whole family, seen from %s', async (id) => {
    await using bench = await open();
    await family(bench);
    const lineage = await readLineage(bench.store, await infoOf(bench.store, id));
    expect(treeOf(lineage.root)).toEqual({ a: { b: { d: { e: {} } }, c: {} } });
    expect(lineage.missing).toBeUndefined();
    expect(lineage.root.session).toEqual(await bench.store.session('a'));
  });

  it('is itself alone when nothing came before or after it', async () => {
    await using bench = await open();
    await family(bench);
    expect(treeOf((await readLineage(bench.store, await infoOf(bench.store, 'f'))).root)).toEqual({ f: {} });
  });

  it('shows archived and trashed sessions as well', async () => {
    await using bench = await open();
    await family(bench);
    await hideSession(bench.store, 'b');
    await trashSession(bench.store, 'd');
    const { root } = await readLineage(bench.store, await infoOf(bench.store, 'c'));
    expect(treeOf(root)).toEqual({ a: { b: { d: { e: {} } }, c: {} } });
  });

  it('names the parent that was purged, and starts from the eldest that is left', async () => {
    await using bench = await open();
    const { store } = bench;
    await family(bench);
    await purge(store, 'b');
    const { root, missing } = await readLineage(store, await infoOf(store, 'e'));
    expect([treeOf(root), missing]).toEqual([{ d: { e: {} } }, 'b']);
    expect(treeOf((await readLineage(store, await infoOf(store, 'a'))).root)).toEqual({ a: { c: {} } });
  });

  it('has the children in the order of their birth, all of them', async () => {
    await using bench = await open();
    const { store, clock } = bench;
    await store.create({ id: 'a' }, conversation(user('hello')));
    const ids = Array.from({ length: 230 }, (_, n) => `child_${String(n).padStart(3, '0')}`);
    for (const [n, id] of ids.entries()) {
      if (n % 3 === 0) clock.advance(1);
      await store.create({ id, createdAt: clock.now(), parent: { session: 'a', relation: 'fork', seq: 1 } });
    }
    clock.advance(1);
    for (const id of ['child_100', 'child_003']) await store.append(id, conversation(user('up')));
    const { root } = await readLineage(store, await infoOf(store, 'child_007'));
    expect(root.children.map(({ session }) => session.id)).toEqual(ids);
  });
});

it('has an end in a store of an older version, where a purged forebear was born again as a descendant', async () => {
  await using bench = await openFile();
  const { store } = bench;
  await family(bench);
  await purge(store, 'b');
  {
    using db = new DatabaseSync(bench.file);
    db.exec('delete from purged');
  }
  await fork(bench, 'e', 'b');
  const { root } = await readLineage(store, await infoOf(store, 'e'));
  expect(JSON.stringify(treeOf(root)).match(/[a-f]/g)?.sort()).toEqual(['b', 'd', 'e']);
});
