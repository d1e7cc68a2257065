import type { Keep } from '../../record/index.ts';
import { type Compacting, costOfCompaction, costOfRequests, type Money, type Pace } from './money.ts';

/** What the arithmetic takes of how full a context is, in tokens as the provider counts them. */
interface Filling {
  readonly tokens: number;
  /** The latest that a compaction may come. */
  readonly most: number;
  readonly fixed: number;
  readonly keep: Keep;
}

/** The finest step between two triggers that are compared. */
const STEP = 1_000;
/** Share of a trigger that a compaction frees at the least. */
const LEAST_FREED = 0.25;
/** Summaries that stand in a context on an average: four become one. Of them, what is before the newest and stays as it was. */
const STANDING = 3;
const FROZEN = (STANDING - 1) * 0.75;
const SUMMARY = { least: 600, share: 1 / 6, usual: 2_000, shareOfLong: 0.03, most: 6_000 } as const;
const USUAL_KEPT = 0.4;

/** The sizes of a compaction that comes when the context has so many tokens. Turns are kept whole, and one at the least. */
export function sizesAt(
  trigger: number,
  { fixed, keep }: Pick<Filling, 'fixed' | 'keep'>,
  { steps, growth }: Pick<Pace, 'steps' | 'growth'> = { steps: 0, growth: 0 },
): Compacting {
  const said = Math.max(0, trigger - fixed);
  const wanted = Math.min(keep.tokens ?? Number.POSITIVE_INFINITY, (keep.share ?? USUAL_KEPT) * said);
  const turn = steps * growth;
  const kept = Math.min(said, Math.max(turn, wanted - turn / 2));
  const range = Math.max(0, said - kept);
  const { least, share, usual, shareOfLong, most } = SUMMARY;
  const summary = Math.min(
    most,
    Math.max(least, Math.min(range * share, Math.max(usual, range * shareOfLong))),
  );
  const standing = Math.min(STANDING * summary, range);
  const head = fixed + Math.min(standing, FROZEN * summary);
  return { context: trigger, range: range - standing, head, summary, after: fixed + standing + kept };
}

/** Dollars of a request on an average, if the session is compacted whenever it has so many tokens. */
function costPerRequest(trigger: number, filling: Pick<Filling, 'fixed' | 'keep'>, money: Money): number {
  const { pace } = money;
  const sizes = sizesAt(trigger, filling, pace);
  // The request that goes beyond the trigger goes half of its growth beyond it.
  const requests = Math.max(1, (trigger - sizes.after) / Math.max(1, pace.growth) + 0.5);
  const compaction = costOfCompaction(money, money.writer, { ...sizes, cold: false });
  return (compaction + costOfRequests(money, { from: sizes.after, requests })) / requests;
}

/**
 * The number of tokens at which a session is best compacted: the latest from `from` on at which it costs no more than a share of
 * `over` above the cheapest. Never later than there is room.
 */
export function chooseTrigger(
  filling: Filling,
  money: Money,
  { over, from }: { readonly over: number; readonly from: number },
): number {
  const costs: { trigger: number; cost: number }[] = [];
  for (let trigger = Math.min(from, filling.most); trigger < filling.most + STEP; trigger += STEP) {
    const at = Math.min(trigger, filling.most);
    const { after } = sizesAt(at, filling, money.pace);
    if (at - after >= at * LEAST_FREED) costs.push({ trigger: at, cost: costPerRequest(at, filling, money) });
  }
  const least = Math.min(...costs.map(({ cost }) => cost));
  return costs.findLast(({ cost }) => cost <= least * (1 + over))?.trigger ?? filling.most;
}

/**
 * Whether a session whose cache is cold is better compacted now than at its trigger: the next request reads everything anew
 * either way, and after a compaction there is less to read.
 */
export function paysWhileCold(filling: Filling, money: Money, trigger: number): boolean {
  const { tokens } = filling;
  if (tokens >= trigger) return true;
  const { pace } = money;
  const now = sizesAt(tokens, filling, pace);
  if (tokens - now.after < tokens * LEAST_FREED) return false;
  const usual = costPerRequest(trigger, filling, money);
  const requests = (trigger - tokens) / Math.max(1, pace.growth);
  const compacted = costOfCompaction(money, money.writer, { ...now, cold: true });
  const waiting =
    costOfRequests(money, { from: tokens, requests, cold: true }) +
    costOfCompaction(money, money.writer, { ...sizesAt(trigger, filling, pace), cold: false }) -
    usual * requests;
  return compacted < waiting;
}
