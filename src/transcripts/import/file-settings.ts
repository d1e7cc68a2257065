import {
  deriveEntryId,
  type Entry,
  type EntryId,
  isCopyable,
  isOwnSetting,
  registeredName,
  type Seq,
  type SessionId,
  type Setting,
  settingsOf,
  type UnknownBody,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { FoundEntry } from '../transcript.ts';
import type { ImportTally } from './report.ts';

// A file may come from anywhere. Settings that act on this machine (a project's folders, approvals, messages that wait for a
// loop, the address of a model) are taken only from a file that its owner vouches for. For other files an entry that shows
// the setting stands in its place: later entries keep their numbers, and nothing is lost.

export interface FileSettings {
  /** The entry as it may be written into the session. */
  admit<One extends Settable>(entry: One, session: SessionId): Promise<One>;
  /** The entries of a foreign file that a session is to be born with, as they may be written. `admit` counts them. */
  born<One extends Settable>(entries: readonly One[]): One[];
  /** Sets the settings that an earlier import left out because the owner of the file had not vouched for it. */
  settle(session: SessionId): Promise<void>;
}

/** An entry of the file that may be a setting. */
type Settable = Pick<FoundEntry, 'id' | 'at' | 'body'>;

interface FileSettingsOptions {
  /** The owner of the store vouches for the file. */
  readonly trusted: boolean;
  readonly tally: ImportTally;
}

const LEFT_OUT = 'setting-left-out';

export function createFileSettings(store: Store, { trusted, tally }: FileSettingsOptions): FileSettings {
  /** The newest of each name of ours: an older one that was left out is not set over it. */
  const newest = new Map<string, Settable & { body: Setting }>();
  let links: Promise<ReadonlyMap<string, ReadonlySet<SessionId>>> | undefined;

  /** A project that is here keeps its folders and its labels. */
  async function isTaken({ name, value }: Setting, session: SessionId): Promise<boolean> {
    if (!LINKS.some((prefix) => name.startsWith(prefix)) || !isLinked(value)) return false;
    links ??= readLinks(store);
    const owners = (await links).get(name);
    return owners !== undefined && !owners.has(session);
  }

  /** A branch that was purged has no entries. */
  async function stored(session: SessionId, id: EntryId): Promise<Entry | undefined> {
    return (await store.session(session)) && store.entry(session, id);
  }

  return {
    async admit(entry, session) {
      const { id, at, body } = entry;
      if (body.kind !== 'setting') return entry;
      const free = isCopyable(body.name, body.value);
      if (free || (trusted && !(await isTaken(body, session)))) {
        if (trusted && isOwnSetting(body.name)) newest.set(body.name, { id, at, body });
        return entry;
      }
      const there = await stored(session, id);
      if (there?.body.kind !== 'setting') tally.leaveOut(registeredName(body.name)!);
      return { ...entry, body: leaveOut(body) };
    },

    born: (entries) =>
      entries.map((entry) => {
        const { body } = entry;
        if (trusted || body.kind !== 'setting' || isCopyable(body.name, body.value)) return entry;
        return { ...entry, body: leaveOut(body) };
      }),

    async settle(session) {
      for (const { id, at, body } of newest.values()) {
        const there = await stored(session, id);
        if (there?.body.kind !== 'unknown' || there.body.was !== LEFT_OUT) continue;
        const late = { id: deriveEntryId(id, 'vouched for'), at, body };
        const head: Seq = (await store.session(session))!.head;
        const [written] = await store.append(session, [late]);
        if (written!.seq > head) tally.added++;
      }
      newest.clear();
    },
  };
}

/** The setting as an entry that shows it and sets nothing. */
function leaveOut({ kind: _, ...setting }: Setting): UnknownBody {
  return { kind: 'unknown', was: LEFT_OUT, value: { kind: LEFT_OUT, ...setting } };
}

const LINKS = ['folder:', 'label:'] as const;

function isLinked(value: unknown): boolean {
  return value !== null && (value as { leftAt?: unknown }).leftAt === undefined;
}

/** The projects of the store by the folders and labels that they have now. */
async function readLinks(store: Store): Promise<Map<string, Set<SessionId>>> {
  const links = new Map<string, Set<SessionId>>();
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ place: 'memory', limit: 500, ...(cursor && { cursor }) });
    for (const { id, state } of page.sessions)
      for (const prefix of LINKS)
        for (const [name, value] of settingsOf(state.settings, prefix))
          if (isLinked(value)) links.set(prefix + name, (links.get(prefix + name) ?? new Set()).add(id));
    cursor = page.cursor;
    if (!cursor) return links;
  }
}
