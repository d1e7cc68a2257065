import type { Family, OutgoingEntry, OutgoingSession } from '../transcript.ts';
import { type Interleaved, interleave } from './interleave.ts';

interface Placed extends Interleaved {
  /** A summary that stands here, or stood here and is written elsewhere. */
  readonly summary?: 'here' | 'elsewhere';
}

/**
 * The entries of a family with each summary right behind what it covers. Other programs take a summary for everything that
 * stands before it, and ours are written down later: messages kept in between have to stand behind it.
 */
export async function* placeSummaries(
  family: Family,
  isMoved: (entry: OutgoingEntry) => boolean,
): AsyncGenerator<Placed> {
  const waiting = new Map<OutgoingSession, { to: number; entry: OutgoingEntry }[]>();
  for (const session of family.sessions) {
    const { parent } = session.info;
    // What a parent that is not written along has said is part of the session itself.
    const above =
      parent?.relation === 'fork' && family.sessions.some(({ info }) => info.id === parent.session);
    const list: { to: number; entry: OutgoingEntry }[] = [];
    for await (const entry of session.notes(above ? parent.seq : 0)) {
      if (entry.body.kind === 'compaction' && isMoved(entry)) list.push({ to: entry.body.covers.to, entry });
    }
    waiting.set(
      session,
      list.sort((a, b) => a.to - b.to || a.entry.seq - b.entry.seq),
    );
  }
  for await (const one of interleave(family)) {
    const { session, entry } = one;
    const due = waiting.get(session) ?? [];
    while (due[0] && due[0].to < entry.seq) yield { session, entry: due.shift()!.entry, summary: 'here' };
    yield entry.body.kind === 'compaction' && isMoved(entry) ? { ...one, summary: 'elsewhere' } : one;
  }
}
