import type { Json, SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** Gives a session a title. One that a person gave is never replaced by `host` or `auto`; an empty one clears it. */
export async function titleSession(
  store: Store,
  id: SessionId,
  title: string,
  { by = 'user' }: { by?: 'user' | 'host' | 'auto' } = {},
): Promise<void> {
  await set(store, id, 'title', { values: [title || null], by });
}

export async function tagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await set(store, id, 'tag', { values: tags, by: 'user' });
}

export async function untagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await set(store, id, 'untag', { values: tags, by: 'user' });
}

/** Takes a session out of the lists without touching anything in it. */
export async function archiveSession(store: Store, id: SessionId): Promise<void> {
  await set(store, id, 'archived', { values: [true], by: 'user' });
}

/** Puts a session into the trash. It stays there, whole, until it is restored or purged by somebody. */
export async function trashSession(store: Store, id: SessionId): Promise<void> {
  await set(store, id, 'trashed', { values: [true], by: 'user' });
}

/** Brings a session back from the archive and from the trash. */
export async function restoreSession(store: Store, id: SessionId): Promise<void> {
  await store.append(id, [
    { body: { kind: 'setting', name: 'archived', value: false, by: 'user' } },
    { body: { kind: 'setting', name: 'trashed', value: false, by: 'user' } },
  ]);
}

/** Settings need no lease: anyone may label a session, also while somebody talks in it. */
async function set(
  store: Store,
  id: SessionId,
  name: string,
  { values, by }: { values: readonly Json[]; by: 'user' | 'host' | 'auto' },
): Promise<void> {
  await store.append(
    id,
    values.map((value) => ({ body: { kind: 'setting', name, value, by } })),
  );
}
