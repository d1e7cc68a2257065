import { deepEqual } from 'node:assert/strict';
import type { EntryBody } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { conversation, user } from '../messages.ts';
import { setting } from '../notes.ts';
import { promise } from './promise.ts';

async function withBodies(store: Store, id: string, ...bodies: EntryBody[]): Promise<void> {
  await store.create({ id }, conversation(...bodies));
}

async function found(store: Store, text: string, limit = 10): Promise<string[]> {
  return (await store.find(text, { limit })).map(({ id }) => id);
}

export const findPromises = [
  promise('finds sessions by how their id begins', async ({ store }) => {
    for (const id of ['sally_1', 'sally_2', 'henry_1']) await store.create({ id });
    deepEqual(await found(store, 'sally'), ['sally_2', 'sally_1']);
    deepEqual(await found(store, 'sally_1'), ['sally_1']);
    deepEqual(await found(store, 'ally'), []);
    deepEqual(await found(store, 'sally_12'), []);
  }),

  promise('takes every character of an id for itself', async ({ store }) => {
    for (const id of ['a_b', 'axb', 'Axb', 'a.b', 'a-b']) await store.create({ id });
    deepEqual(await found(store, 'a_'), ['a_b']);
    deepEqual(await found(store, 'a.'), ['a.b']);
    deepEqual(await found(store, 'A'), ['Axb']);
    for (const text of ['%', 'a%', '*', 'a*', '[a]', '"', "a'"]) deepEqual(await found(store, text), []);
  }),

  promise('finds a session by its whole title, in any case and normal form', async ({ store }) => {
    await withBodies(store, 's', setting('title', 'Café Größe'));
    for (const text of [
      'Café Größe',
      'CAFÉ GRÖSSE'.replace('SS', 'ß'),
      'cafe\u0301 gro\u0308ße',
      '  café größe ',
    ]) {
      deepEqual(await found(store, text), ['s']);
    }
    deepEqual(await found(store, 'Café'), []);
  }),

  promise('finds an untitled session by how its first question begins', async ({ store }) => {
    await withBodies(store, 's', user('Where is the lease?\nI cannot find it.'), user('Something else'));
    deepEqual(await found(store, 'where is the lease?'), ['s']);
    deepEqual(await found(store, 'Something else'), []);
  }),

  promise('finds a session by the title it has now', async ({ store }) => {
    await withBodies(store, 's', user('question'), setting('title', 'old'));
    await store.append('s', [{ body: setting('title', 'new') }]);
    deepEqual(
      [await found(store, 'old'), await found(store, 'new'), await found(store, 'question')],
      [[], ['s'], []],
    );
    await store.append('s', [{ body: setting('title', null) }]);
    deepEqual(await found(store, 'question'), ['s']);
  }),

  promise('finds what is archived or in the trash as well', async ({ store }) => {
    await withBodies(store, 'x1', setting('archived', true));
    await withBodies(store, 'x2', setting('trashed', true), setting('title', 'Gone'));
    deepEqual(await found(store, 'x'), ['x2', 'x1']);
    deepEqual(await found(store, 'gone'), ['x2']);
  }),

  promise('finds the newest first, and no more than asked', async ({ store, clock }) => {
    for (const id of ['x1', 'x2', 'x3']) {
      await store.create({ id });
      clock.advance(1);
    }
    await store.append('x1', [{ body: user('hello') }]);
    deepEqual(await found(store, 'x'), ['x1', 'x3', 'x2']);
    deepEqual(await found(store, 'x', 2), ['x1', 'x3']);
  }),

  promise('finds all that share a title, and each of them once', async ({ store }) => {
    await withBodies(store, 'same', setting('title', 'same'));
    await withBodies(store, 'other', setting('title', 'Same'));
    deepEqual(await found(store, 'same'), ['other', 'same']);
  }),

  promise('does not take having no title for a title', async ({ store }) => {
    await store.create({ id: 's' });
    await withBodies(store, 't', setting('title', '   '));
    deepEqual([await found(store, '   '), await found(store, '\0')], [[], []]);
  }),
];
