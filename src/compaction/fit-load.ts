import type { CompactionSettings, Entry, Keep } from '../record/index.ts';
import { sayNumber } from '../text/index.ts';
import { foreignRoom, partForeign } from './foreign-summaries.ts';
import { type Load, triggerOf } from './read-policy.ts';
import { mostTokens } from './summarise-range.ts';

/** What a compaction may keep and has to free, in tokens as entries are counted. */
export interface Fit {
  /** All of the conversation that can be sent. */
  readonly room: number;
  /** From here on it is compacted. */
  readonly trigger: number;
  readonly keep: Keep;
  /** What may still be said before the trigger is reached: a summary that is prepared now takes its place only then. */
  readonly until: number;
  /** The budget of one summary. */
  readonly budget: number;
  /** The most that one summary takes of a request. */
  readonly summary: number;
  /** The most that all summaries take together; beyond it a compaction covers the older ones as well. */
  readonly summaries: number;
  /** The least that a compaction has to free: a quarter of the trigger. */
  readonly least: { readonly tokens: number } | { readonly lines: number };
  /** Summaries take no room of the conversation: `Load.fixed` counts them. */
  readonly countsSummaries: boolean;
}

/** Share of the trigger that a compaction frees at the least: with less, one compaction follows the other. */
const LEAST_FREED = 0.25;
/** Share of the trigger for all summaries: what they take is missing between two compactions. */
const SUMMARIES = 0.2;
/** Four summaries have to find room before they are merged. A small window still gets one that says something. */
const SUMMARY = { share: 0.05, small: { tokens: 300, share: 0.1 }, most: 6_000 } as const;
/** The label around a summary in a request. */
const LABEL_TOKENS = 60;

/** The sizes that follow from how full a context is. A share is one of what the trigger leaves to the conversation. */
export function fitLoad(load: Load, settings: CompactionSettings): Fit {
  const { trigger, keep } = settings;
  const { room, lines, fixed = 0, scale = 1, summariesFixed = false } = load;
  const reached = triggerOf(load, settings);
  const own = (tokens: number) => Math.max(0, Math.floor(tokens / scale));
  const said = Math.max(0, reached.tokens - fixed);
  const { share, small, most } = SUMMARY;
  // Where a request shows what summaries add up to, a summary need not be smaller the more of them there are.
  const whole = summariesFixed ? reached.tokens : said;
  const budget = own(Math.min(most, Math.max(whole * share, Math.min(small.tokens, whole * small.share))));
  return {
    room: own(room - fixed),
    trigger: own(said),
    keep: keepWithin(keep, (tokens) => own(Math.min(tokens, (keep.share ?? 1) * said))),
    until: own(Math.max(0, reached.tokens - load.tokens)),
    budget,
    summary: mostTokens(budget) + LABEL_TOKENS,
    summaries: own(said * SUMMARIES),
    least:
      reached.by === 'lines' && trigger.lines !== undefined
        ? { lines: Math.min(trigger.lines, lines) * LEAST_FREED }
        : { tokens: own((summariesFixed ? said : reached.tokens) * LEAST_FREED) },
    countsSummaries: !summariesFixed,
  };
}

/** For a compaction that is asked for: `keep` in the tokens of entries, its share of the trigger if the load is known. */
export function keepOf(settings: CompactionSettings, load: Load | undefined): Keep {
  const { keep } = settings;
  if (!load) return keep;
  const { fixed = 0, scale = 1 } = load;
  const said = Math.max(0, triggerOf(load, settings).tokens - fixed);
  return keepWithin(keep, (tokens) => Math.floor(Math.min(tokens, (keep.share ?? 1) * said) / scale));
}

function keepWithin({ share, tokens, ...counts }: Keep, own: (tokens: number) => number): Keep {
  if (share === undefined && tokens === undefined) return counts;
  return { ...counts, tokens: Math.max(0, own(tokens ?? Number.POSITIVE_INFINITY)) };
}

/**
 * Why no compaction can free as much as it has to, for people, with what to do; `undefined` if one can once more is said.
 * `held` are tokens of messages that are not summarised: pinned, or of a summary that a person opened.
 */
export function whyNoRoom(load: Load, settings: CompactionSettings, held: number): string | undefined {
  const { fixed = 0, scale = 1, summariesFixed = false } = load;
  const { tokens, by } = triggerOf(load, settings);
  const firm = Math.round(fixed + held * scale);
  if (summariesFixed || by === 'lines' || firm <= tokens * (1 - LEAST_FREED)) return undefined;
  const say = (amount: number) => sayNumber(Math.round(amount));
  return `${say(firm)} of the ${say(tokens)} tokens that it may take are instructions, tools, pins and opened summaries, which no summary makes smaller. Shorten or unpin some of them, collapse a summary, or choose a model with a larger window`;
}

/** True if a compaction of these frees as much as it has to. */
export function isWorth(entries: readonly Entry[], fit: Fit, tokens: number): boolean {
  return 'lines' in fit.least
    ? entries.length - 1 >= fit.least.lines
    : tokens - fit.summary - foreignIn(entries, fit) >= fit.least.tokens;
}

/** What stays of other programs' summaries in these. */
function foreignIn(entries: readonly Entry[], { budget }: Fit): number {
  return Math.min(partForeign(entries).foreignTokens, foreignRoom(budget));
}
