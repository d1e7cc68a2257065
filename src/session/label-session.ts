import {
  checkArgument,
  type GivenSettings,
  type NewEntry,
  type Place,
  placeOf,
  type SessionId,
  type SessionInfo,
  settingEntries,
  settingEntry,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** Changes to the labels of a session: only the fields that are given. */
export interface Labels {
  /** An empty one clears it. */
  readonly title?: string;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  /** `trashed` puts it into the trash, `active` brings it back. */
  readonly place?: Place;
  readonly project?: string;
  /** Any other settings, by name. */
  readonly settings?: GivenSettings;
}

/**
 * Changes labels in one append; a label that the session has already is not written again. Labels need no lease: a
 * session can be labelled while a turn runs in it.
 */
export async function labelSession(
  store: Store,
  { id, state }: Pick<SessionInfo, 'id' | 'state'>,
  { addTags = [], removeTags = [], place, ...labels }: Labels,
): Promise<void> {
  const entries = entriesFor({
    ...labels,
    addTags: addTags.filter((tag) => !state.tags.includes(tag)),
    removeTags: removeTags.filter((tag) => state.tags.includes(tag)),
    ...(place !== undefined && place !== placeOf(state) && { place }),
    isTrashed: state.trashedAt !== undefined,
  });
  if (entries.length > 0) await store.append(id, entries);
}

/** Gives a session a title. One that a person gave is never replaced by `host` or `auto`; an empty one clears it. */
export async function titleSession(
  store: Store,
  id: SessionId,
  title: string,
  { by = 'user' }: { by?: 'user' | 'host' | 'auto' } = {},
): Promise<void> {
  await append(store, id, { call: 'titleSession', entries: entriesFor({ title }, { by }) });
}

export async function tagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await append(store, id, { call: 'tagSession', entries: entriesFor({ addTags: tags }) });
}

export async function untagSession(store: Store, id: SessionId, ...tags: readonly string[]): Promise<void> {
  await append(store, id, { call: 'untagSession', entries: entriesFor({ removeTags: tags }) });
}

/** Takes a session out of the lists without touching anything in it. */
export async function hideSession(store: Store, id: SessionId): Promise<void> {
  await append(store, id, {
    call: 'hideSession',
    entries: entriesFor({ place: 'archived', isTrashed: false }),
  });
}

/** Puts a session into the trash. It stays there, whole, until it is restored or purged. */
export async function trashSession(store: Store, id: SessionId): Promise<void> {
  await append(store, id, { call: 'trashSession', entries: entriesFor({ place: 'trashed' }) });
}

/** Brings a session back from the archive and from the trash. */
export async function restoreSession(store: Store, id: SessionId): Promise<void> {
  await append(store, id, { call: 'restoreSession', entries: entriesFor({ place: 'active' }) });
}

function append(
  store: Store,
  id: SessionId,
  { call, entries }: { readonly call: string; readonly entries: readonly NewEntry[] },
): Promise<unknown> {
  checkArgument(store, 'store', { call });
  return store.append(id, entries);
}

/** The one place that knows how labels are written down. `isTrashed`: the session is in the trash, or may be. */
function entriesFor(
  {
    title,
    project,
    settings = {},
    addTags = [],
    removeTags = [],
    place,
    isTrashed = true,
  }: Labels & { readonly isTrashed?: boolean },
  { by = 'user' }: { by?: 'user' | 'host' | 'auto' } = {},
): NewEntry[] {
  const isMoved = place !== undefined;
  return [
    ...(title === undefined ? [] : [settingEntry('title', title || null, { by })]),
    ...(project === undefined ? [] : [settingEntry('project', project, { by })]),
    ...settingEntries(settings, { by }),
    ...addTags.map((tag) => settingEntry('tag', tag, { by })),
    ...removeTags.map((tag) => settingEntry('untag', tag, { by })),
    ...(isMoved && place !== 'trashed' ? [settingEntry('archived', place === 'archived', { by })] : []),
    ...(isMoved && (place === 'trashed' || isTrashed)
      ? [settingEntry('trashed', place === 'trashed', { by })]
      : []),
  ];
}
