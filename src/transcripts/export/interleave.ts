import { isMarked } from '../../record/index.ts';
import type { Family, OutgoingEntry, OutgoingSession } from '../transcript.ts';

export interface Interleaved {
  readonly session: OutgoingSession;
  readonly entry: OutgoingEntry;
}

/**
 * The own entries of all sessions of a family as one file has them: in the order of time, each session in its own order and
 * never before what it was forked from, and the end of the one asked for at the very end. Removed entries stay behind.
 */
export async function* interleave({ sessions, asked, end }: Family): AsyncGenerator<Interleaved> {
  const lanes: Lane[] = [];
  for (const session of sessions) {
    const { parent } = session.info;
    const forkedAt = parent?.relation === 'fork' ? parent : undefined;
    // A parent that is not written along is shown as part of the session itself.
    const above = forkedAt && lanes.find((lane) => lane.session.info.id === forkedAt.session);
    const iterator = standing(session, above ? forkedAt!.seq : 0);
    lanes.push({ session, above, from: forkedAt?.seq ?? 0, iterator, next: await take(iterator), passed: 0 });
  }
  const own = lanes.find((lane) => lane.session === asked)!;
  const held: OutgoingEntry[] = [];
  for (let lane = earliest(lanes); lane; lane = earliest(lanes)) {
    const entry = lane.next!;
    lane.next = await take(lane.iterator);
    lane.passed = lane.next ? lane.next.seq - 1 : Number.POSITIVE_INFINITY;
    const awaited = lanes.some(({ above, from }) => above === own && from >= entry.seq);
    const isEnd = held.length > 0 || (end === undefined ? !lane.next && !awaited : entry.id === end);
    if (lane === own && isEnd) held.push(entry);
    else yield { session: lane.session, entry };
  }
  for (const entry of held) yield { session: asked, entry };
}

interface Lane {
  readonly session: OutgoingSession;
  readonly above: Lane | undefined;
  readonly from: number;
  readonly iterator: AsyncIterator<OutgoingEntry>;
  next: OutgoingEntry | undefined;
  /** The number of the last entry that is out. */
  passed: number;
}

/** Entries that no mark has removed, nor the marks that did. */
export async function* standing(session: OutgoingSession, after = 0): AsyncGenerator<OutgoingEntry> {
  const { removed } = session.info.state;
  for await (const entry of session.entries({ after })) {
    const { body } = entry;
    const isRemoval = body.kind === 'mark' && body.mark === 'removed';
    if (!isRemoval && !isMarked(removed, entry)) yield entry;
  }
}

async function take(iterator: AsyncIterator<OutgoingEntry>): Promise<OutgoingEntry | undefined> {
  const { value, done } = await iterator.next();
  return done ? undefined : value;
}

function earliest(lanes: readonly Lane[]): Lane | undefined {
  let first: Lane | undefined;
  for (const lane of lanes) {
    const ready = lane.next && (!lane.above || lane.above.passed >= lane.from);
    if (ready && (!first || lane.next!.at < first.next!.at)) first = lane;
  }
  return first;
}
