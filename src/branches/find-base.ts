import { ThroughlineError } from '../errors.ts';
import { type Entry, isMarked, type Merge, type SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type Forebear, type Moment, traceAncestry } from './trace-ancestry.ts';

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
