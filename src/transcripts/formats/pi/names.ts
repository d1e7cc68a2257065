import { deriveEntryId, type EntryId } from '../../../record/index.ts';
import type { Family, OutgoingEntry, OutgoingSession } from '../../transcript.ts';

/** The name that a record has or gets in the file: the short one it came with, or the whole id. */
export function piNameOf(id: EntryId): string {
  return /^.{19}9.{3}-0000[0-9a-f]{8}$/.test(id) && id[14] === '8' ? id.slice(-8) : id;
}

/** What the next record of a session follows, and which is the first that a summary leaves. */
interface Names {
  make(entry: OutgoingEntry, index?: number): string;
  set(session: OutgoingSession, entry: OutgoingEntry, name: string): void;
  tip(session: OutgoingSession): string | null;
  /** The first record of a session behind a number that a summary covers up to. */
  firstAfter(session: OutgoingSession, seq: number): string | undefined;
  passed(session: OutgoingSession, entry: OutgoingEntry): void;
}

export async function createNames({ sessions }: Family): Promise<Names> {
  const tips = new Map<string, string>();
  const forks = new Map<string, string>();
  const firsts = new Map<string, string>();
  const key = (id: string, seq: number) => `${id} ${seq}`;
  const forked = new Set(
    sessions.flatMap(({ info: { parent } }) => (parent ? [key(parent.session, parent.seq)] : [])),
  );
  const ends = await endsOfSummaries(sessions);

  const names: Names = {
    make: ({ id }, index = 0) => (index === 0 ? piNameOf(id) : deriveEntryId(id, String(index))),
    set({ info }, { seq }, name) {
      tips.set(info.id, name);
      for (const end of ends) {
        const place = key(info.id, end);
        if (seq > end && !firsts.has(place)) firsts.set(place, name);
      }
    },
    tip({ info: { id, parent } }) {
      return tips.get(id) ?? (parent && forks.get(key(parent.session, parent.seq))) ?? null;
    },
    firstAfter({ info: { id, parent } }, seq) {
      // What a fork's summary leaves may stand in the part it shares.
      const shared = parent && seq < parent.seq ? firsts.get(key(parent.session, seq)) : undefined;
      return shared ?? firsts.get(key(id, seq));
    },
    passed(session, { seq }) {
      const at = key(session.info.id, seq);
      const tip = names.tip(session);
      if (forked.has(at) && tip !== null) forks.set(at, tip);
    },
  };
  return names;
}

/** Where the ranges of compactions end; there are few. */
async function endsOfSummaries(sessions: readonly OutgoingSession[]): Promise<number[]> {
  const ends = new Set<number>();
  for (const { info, notes } of sessions) {
    for await (const { body } of notes(info.parent?.relation === 'fork' ? info.parent.seq : 0))
      if (body.kind === 'compaction') ends.add(body.covers.to);
  }
  return [...ends];
}
