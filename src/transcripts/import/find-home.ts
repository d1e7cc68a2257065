import { hash } from 'node:crypto';
import {
  canonicalSessionId,
  type EntryId,
  equalJson,
  isSessionId,
  type NewEntry,
  type Origin,
  type Parent,
  type Seq,
  type SessionId,
  type SessionInfo,
  type Setting,
  settingEntries,
  settingEntry,
} from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
import { importOriginId } from '../import-origin.ts';
import type { FoundSession } from '../transcript.ts';
import { createFileSettings, type FileSettings } from './file-settings.ts';
import type { ImportFoundOptions } from './import-found.ts';
import { createPlacement, type Placement } from './placement.ts';
import { createTally, type ImportTally } from './report.ts';

/** The session of the store that a session of a source is imported into. */
export interface Home {
  readonly placement: Placement;
  readonly tally: ImportTally;
  readonly settings: FileSettings;
  /** The file is in our own format, and holds every setting of the session. */
  readonly copied: boolean;
  /** The session was purged, and nothing of it is imported. */
  readonly purged?: true;
}

interface FindHomeOptions extends ImportFoundOptions {
  /** The homes of the sessions that came before it in the file, by key. */
  readonly homes: ReadonlyMap<string, Home>;
}

/** Finds the session of the store that a session of the source is kept in; makes it if there is none. */
export async function findHome(store: Store, found: FoundSession, options: FindHomeOptions): Promise<Home> {
  const tally = createTally();
  const { trusted = false } = options;
  const settings = createFileSettings(store, { trusted, tally });
  const about = { tally, settings, copied: found.own !== undefined };
  const source = { format: options.format, session: found.key };
  const entries = found.own ? [] : birthEntries(found, source, options);
  const createdAt = found.createdAt ?? options.changedAt ?? 0;
  const wanted = found.own?.id ?? sessionIdOf(source);
  let wasPurged = false;
  const belongs = (info: SessionInfo) =>
    found.own
      ? // A copy from anywhere adds nothing to the memory of a project or to a board.
        (trusted || info.state.settings.reserved === undefined) &&
        isCopyOf(store, info, { ...found.own, createdAt })
      : equalJson(info.state.settings.source, source);
  const bear = async () => {
    if (wasPurged && options.purged === 'leave-out') return undefined;
    const parent = await parentOf(store, found, options);
    if (found.own?.parent && !parent) tally.damage('missing-parent');
    return { createdAt, entries: settings.born(entries), ...(parent && { parent }) };
  };
  const given = wanted === (found.own?.id ?? found.key);
  for await (const { id, info, made, purged } of sessionsNamed(store, wanted, { belongs, bear, given })) {
    wasPurged ||= purged;
    if (purged) continue;
    if (!info) return { ...about, placement: leftOut(wanted), purged: true };
    if (made) tally.added += entries.length;
    for (const entry of entries) await settings.admit(entry, id);
    const shared = found.own?.parent?.relation === 'fork' ? found.own.parent.seq : 0;
    // Without what it shares with its parent a fork begins at 1, whatever its file says.
    const numbered = shared === 0 || info.parent !== undefined;
    const birth = !found.own ? await bornOf(store, id, entries) : numbered ? shared : 0;
    const placing = { info, known: !made, birth, window: found.window === true, numbered, tally };
    return {
      ...about,
      placement: createPlacement(store, { ...placing, purged: options.purged ?? 'again' }),
    };
  }
  throw new Error('bug: the ids to try for an import have come to an end');
}

/**
 * A session is a copy of one in our format if it has the first entry of that file. One without entries is a copy if it has the
 * very id; or, where that id was taken, if an import has made it, which shows in its id and its time.
 */
async function isCopyOf(
  store: Store,
  { id, createdAt, head, parent }: SessionInfo,
  own: NonNullable<FoundSession['own']> & { createdAt: number },
): Promise<boolean> {
  const sameId = canonicalSessionId(id) === canonicalSessionId(own.id);
  const isEmpty = head === (parent?.relation === 'fork' ? parent.seq : 0);
  if (isEmpty || own.first === undefined)
    return sameId || (!id.startsWith(own.id) && createdAt === own.createdAt);
  return (await store.entry(id, own.first)) !== undefined;
}

/**
 * The session that a new one is a fork of, or goes on from, if it is in the store. A fork shows its parent's entries, so
 * its parent has to be in the file as well: a session of the store that has the same id may be another one.
 */
async function parentOf(
  store: Store,
  { own, createdAt }: FoundSession,
  { homes }: FindHomeOptions,
): Promise<Parent | undefined> {
  const parent = own?.parent;
  if (!parent) return undefined;
  const home = homes.get(parent.session);
  if (!home && parent.relation === 'fork') return undefined;
  const info = await store.session(home?.placement.current ?? parent.session);
  if (!info || info.head < parent.seq) return undefined;
  // A session cannot go on from one that began after it.
  if (!home && createdAt !== undefined && info.createdAt > createdAt) return undefined;
  return { ...parent, session: info.id };
}

/** Where a session goes that was purged and is not wanted back. */
function leftOut(current: SessionId): Placement {
  const nothing = async () => {};
  return { current, place: nothing, goTo: nothing, flush: nothing };
}

/** How many entries a session was born with; an earlier import may have known less about it. */
async function bornOf(store: Store, id: SessionId, entries: readonly NewEntry[]): Promise<Seq> {
  const ids = new Set(entries.map((entry) => entry.id));
  const first = await store.read(id, { upTo: entries.length });
  const other = first.findIndex((entry) => !ids.has(entry.id));
  return other < 0 ? first.length : other;
}

/** The name that the source has for it, if that can be a session id; otherwise something short that follows from it. */
function sessionIdOf({ format, session }: Origin): SessionId {
  if (isSessionId(session) && session.length <= 100) return session;
  const readable = session
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const digest = hash('sha256', session).slice(0, 8);
  return [format, readable, digest].filter(Boolean).join('_');
}

type Born = { readonly id: EntryId; readonly at: number; readonly body: Setting };

function birthEntries(
  { createdAt, settings = {}, tags = [] }: FoundSession,
  source: Origin,
  { changedAt = 0 }: ImportFoundOptions,
): Born[] {
  const at = createdAt ?? changedAt;
  const by = { by: 'host', at } as const;
  const entries = [
    settingEntry('source', { ...source }, by),
    ...settingEntries(settings, by),
    ...tags.map((tag) => settingEntry('tag', tag, by)),
  ];
  return entries.map(({ body }) => ({ id: importOriginId(source, body.name, body.value), at, body }));
}
