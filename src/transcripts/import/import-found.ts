import { hash } from 'node:crypto';
import {
  equalJson,
  isImportable,
  isSessionId,
  type NewEntry,
  type Origin,
  type Parent,
  type Seq,
  type SessionId,
  settingEntries,
  settingEntry,
} from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
import { birthId } from '../birth.ts';
import type { DamageKind, Found, FoundSession } from '../transcript.ts';
import { createPlacement, type Placement } from './placement.ts';
import { createTally, type ImportReport, type Tally } from './report.ts';

export interface ImportFoundOptions {
  readonly format: string;
  readonly file: string;
  /** The time of what says nothing about its own. */
  readonly changedAt?: number;
  /**
   * A session that was purged: `again` (the default) imports it under another id, for a person who asks for this file;
   * `leave-out` takes nothing of it, for files that are met by the way.
   */
  readonly purged?: 'again' | 'leave-out';
  /** Called when everything read so far is safe, with what was found so far. */
  readonly onSettled?: (reports: ImportReport[]) => void;
}

interface Home {
  readonly placement: Placement;
  readonly tally: Tally;
  /** The file is one of our own, which holds every setting of the session. */
  readonly own: boolean;
  /** The session was purged, and nothing of it is taken. */
  readonly purged?: true;
}

/** Writes what a reader finds into a store: each session of the file into its own, what is there already not again. */
export async function importFound(
  store: Store,
  found: AsyncIterable<readonly Found[]>,
  options: ImportFoundOptions,
): Promise<ImportReport[]> {
  const homes = new Map<string, Home>();
  let home: Home | undefined;
  /** Damage before it is known whose file it is. */
  const early: DamageKind[] = [];
  for await (const batch of found) {
    for (const one of batch) {
      switch (one.kind) {
        case 'session':
          await home?.placement.flush();
          home = homes.get(one.key) ?? (await findHome(store, one, options));
          homes.set(one.key, home);
          for (const what of early.splice(0)) home.tally.damage(what);
          break;
        case 'entry':
          if (!home) throw new Error('bug: a reader gave an entry before its session');
          if (!home.own && one.body.kind === 'setting' && !isImportable(one.body.name))
            throw new Error(`bug: a reader set "${one.body.name}", which is not for transcripts to set`);
          if (!one.again) home.tally.see(one.body);
          if (one.unknown) home.tally.unknown();
          await home.placement.place(one);
          break;
        case 'place':
          await home?.placement.goTo(one.after);
          break;
        case 'damage':
          if (home) home.tally.damage(one.what);
          else early.push(one.what);
          break;
        case 'quiet':
          await home?.placement.flush();
          options.onSettled?.(reportAll());
      }
    }
  }
  await home?.placement.flush();
  return reportAll();

  function reportAll(): ImportReport[] {
    const { format, file } = options;
    return [...homes.values()].map(({ tally, placement, purged }) => ({
      ...tally.report({ id: placement.current, format, file }),
      ...(purged && { purged }),
    }));
  }
}

/** The session of this store that a session of the source is kept in; made if there is none. */
async function findHome(store: Store, found: FoundSession, options: ImportFoundOptions): Promise<Home> {
  const tally = createTally();
  const own = found.own !== undefined;
  const source = { format: options.format, session: found.key };
  const entries = found.own ? [] : birthEntries(found, source, options);
  const createdAt = found.createdAt ?? options.changedAt ?? 0;
  const wanted = found.own?.id ?? sessionIdOf(source);
  let wasPurged = false;
  const bear = async () => {
    if (wasPurged && options.purged === 'leave-out') return undefined;
    const parent = await reachableParent(store, found, tally);
    return { createdAt, entries, ...(parent && { parent }) };
  };
  const given = wanted === (found.own?.id ?? found.key);
  for await (const { id, info, made, purged } of sessionsNamed(store, wanted, { bear, given })) {
    wasPurged ||= purged;
    if (purged) continue;
    if (!info && options.purged === 'leave-out' && wasPurged)
      return { tally, own, placement: leftOut(wanted), purged: true };
    // Another import of the same file may have been first.
    if (!info || (!made && !found.own && !equalJson(info.state.settings.source, source))) continue;
    if (made) tally.added += entries.length;
    const shared = found.own?.parent?.relation === 'fork' ? found.own.parent.seq : 0;
    // Without what it shares with its parent a fork begins at 1, whatever its file says.
    const numbered = shared === 0 || info.parent !== undefined;
    const birth = !found.own ? await bornOf(store, id, entries) : numbered ? shared : 0;
    const placing = {
      info,
      known: !made,
      birth,
      window: found.window === true,
      numbered,
      tally,
    };
    return {
      tally,
      own,
      placement: createPlacement(store, { ...placing, purged: options.purged ?? 'again' }),
    };
  }
  throw new Error('bug: the ids to try for an import have come to an end');
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

async function reachableParent(
  store: Store,
  { own }: FoundSession,
  tally: Tally,
): Promise<Parent | undefined> {
  const parent = own?.parent;
  if (!parent || ((await store.session(parent.session))?.head ?? -1) >= parent.seq) return parent;
  tally.damage('missing-parent');
  return undefined;
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

function birthEntries(
  { createdAt, settings = {}, tags = [] }: FoundSession,
  source: Origin,
  { changedAt = 0 }: ImportFoundOptions,
): NewEntry[] {
  const at = createdAt ?? changedAt;
  const by = { by: 'host', at } as const;
  const entries = [
    settingEntry('source', { ...source }, by),
    ...settingEntries(settings, by),
    ...tags.map((tag) => settingEntry('tag', tag, by)),
  ];
  return entries.map((entry) => ({ id: birthId(source, entry.body.name, entry.body.value), ...entry }));
}
