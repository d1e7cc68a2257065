import { ThroughlineError } from '../errors.ts';
import {
  type Entry,
  isMarked,
  type Merge,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** Where two branches come from, and what they last had in common. */
export interface Base {
  readonly ours: readonly Forebear[];
  readonly theirs: readonly Forebear[];
  /** Where they parted: the newest moment that is in both of their stories. */
  readonly parting: Moment;
  /** Up to where the one was last merged into the other, if that is later. */
  readonly merged?: Moment & { readonly side: 'ours' | 'theirs' };
}

/** What two branches last had in common: where they parted, or what one has merged of the other since. */
export async function findBase(store: Store, ours: SessionInfo, theirs: SessionInfo): Promise<Base> {
  const [own, other] = [await traceAncestry(store, ours), await traceAncestry(store, theirs)];
  const parting = findParting(own, other);
  if (!parting) throw unrelated(ours, theirs);
  const home = await mergedFrom(store, own, { ancestry: other, parting });
  const away = await mergedFrom(store, other, { ancestry: own, parting });
  // Each merge takes all there is, so the later one holds what the earlier one brought.
  const merged =
    home && (!away || home.at >= away.at)
      ? ({ ...home.moment, side: 'theirs' } as const)
      : away && ({ ...away.moment, side: 'ours' } as const);
  return { ours: own, theirs: other, parting, ...(merged && { merged }) };
}

function findParting(ours: readonly Forebear[], theirs: readonly Forebear[]): Moment | undefined {
  for (const { info, upTo } of ours) {
    const other = theirs.find((forebear) => forebear.info.id === info.id);
    if (other) return { session: info.id, seq: Math.min(upTo, other.upTo) };
  }
  return undefined;
}

/** The newest merge in one story that took something of the other one's since they parted. */
async function mergedFrom(
  store: Store,
  into: readonly Forebear[],
  { ancestry, parting }: { ancestry: readonly Forebear[]; parting: Moment },
): Promise<{ moment: Moment; at: number } | undefined> {
  const end = ancestry.findIndex(({ info }) => info.id === parting.session);
  for (const { at, body } of await readMerges(store, into)) {
    const index = ancestry.findIndex(({ info }) => info.id === body.branch);
    if (index < 0 || index > end) continue;
    const seq = Math.min(body.head, ancestry[index]!.upTo);
    if (index < end || seq > parting.seq) return { moment: { session: body.branch, seq }, at };
  }
  return undefined;
}

/** The merges in a story that were not undone, newest first. */
export async function readMerges(
  store: Store,
  ancestry: readonly Forebear[],
): Promise<(Entry & { body: Merge })[]> {
  const merges: (Entry & { body: Merge })[] = [];
  // A fork's state knows the merges of the log it shares; only a resumed session has to ask the one before it.
  for (let index = 0; index < ancestry.length; index++) {
    const { info, upTo } = ancestry[index]!;
    const younger = ancestry[index - 1]?.info;
    if (younger && younger.parent?.relation !== 'resume') continue;
    const { merges: seqs = [], removed } = info.state;
    for (const seq of seqs.toReversed().filter((each) => each <= upTo)) {
      const [entry] = await store.read(info.id, { after: seq - 1, upTo: seq });
      if (entry?.body.kind !== 'merge')
        throw new Error(`bug: entry ${seq} of session "${info.id}" should be a merge`);
      if (!isMarked(removed, entry)) merges.push(entry as Entry & { body: Merge });
    }
  }
  return merges;
}

function unrelated(a: SessionInfo, b: SessionInfo): ThroughlineError {
  return new ThroughlineError(
    'branches-unrelated',
    `Sessions "${a.id}" and "${b.id}" have nothing in common: neither was forked or resumed from the other, nor both from a third that still exists.`,
    { details: { sessions: [a.id, b.id] } },
  );
}

/** A session that another one came from, and the last entry of it that still belongs to the other one's story. */
export interface Forebear {
  readonly info: SessionInfo;
  readonly upTo: Seq;
}

/** A session and the ones it came from, youngest first, as far as they still exist. */
export async function traceAncestry(
  store: Store,
  info: SessionInfo,
  upTo: Seq = info.head,
): Promise<Forebear[]> {
  const ancestry: Forebear[] = [{ info, upTo }];
  // Older versions gave the id of a purged session again, even to a descendant, so the way up can lead in a circle.
  const passed = new Set([info.id]);
  for (let { parent } = info, limit = upTo; parent && !passed.has(parent.session); ) {
    const next = await store.session(parent.session);
    if (!next) break;
    passed.add(next.id);
    // A fork counts on where its parent was; a resumed session starts at 1 again.
    limit = parent.relation === 'fork' ? Math.min(limit, parent.seq) : parent.seq;
    ancestry.push({ info: next, upTo: limit });
    parent = next.parent;
  }
  return ancestry;
}

/** A moment in the log of a session. */
export interface Moment {
  readonly session: SessionId;
  readonly seq: Seq;
}

/** A stretch of one log: the entries added there, strictly after `after`. */
export interface Leg {
  readonly info: SessionInfo;
  readonly after: Seq;
  readonly upTo: Seq;
}

/**
 * The way from a moment in an ancestry to its youngest session, oldest leg first. Forks share a log and make one leg;
 * where a session was resumed a new log begins.
 */
export function legsSince(ancestry: readonly Forebear[], { session, seq }: Moment): Leg[] {
  const legs: Leg[] = [];
  let view = ancestry[0]!;
  for (const [index, { info }] of ancestry.entries()) {
    if (info.id === session) {
      legs.unshift({ ...view, after: seq });
      return legs.filter(({ after, upTo }) => after < upTo);
    }
    if (info.parent?.relation !== 'resume') continue;
    legs.unshift({ ...view, after: 0 });
    view = ancestry[index + 1]!;
  }
  throw new Error(`bug: session "${session}" is not in the ancestry`);
}
