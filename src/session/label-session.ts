import { type SessionId, settingEntry } from '../record/index.ts';
import type { Store } from '../store/index.ts';

// Settings need no lease: a session is labelled also during a turn.
const BY_USER = { by: 'user' } as const;

/** Gives a session a title. One that a person gave is never replaced by `host` or `auto`; an empty one clears it. */
export async function titleSession(
  store: Store,
  id: SessionId,
  title: string,
  { by = 'user' }: { by?: 'user' | 'host' | 'auto' } = {},
): Promise<void> {
  await store.append(id, [settingEntry('title', title || null, { by })]);
}

export async function tagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await store.append(
    id,
    tags.map((tag) => settingEntry('tag', tag, BY_USER)),
  );
}

export async function untagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await store.append(
    id,
    tags.map((tag) => settingEntry('untag', tag, BY_USER)),
  );
}

/** Takes a session out of the lists without touching anything in it. */
export async function archiveSession(store: Store, id: SessionId): Promise<void> {
  await store.append(id, [settingEntry('archived', true, BY_USER)]);
}

/** Puts a session into the trash. It stays there, whole, until it is restored or purged. */
export async function trashSession(store: Store, id: SessionId): Promise<void> {
  await store.append(id, [settingEntry('trashed', true, BY_USER)]);
}

/** Brings a session back from the archive and from the trash. */
export async function restoreSession(store: Store, id: SessionId): Promise<void> {
  await store.append(id, [settingEntry('archived', false, BY_USER), settingEntry('trashed', false, BY_USER)]);
}
