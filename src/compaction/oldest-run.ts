import type { CompactionSettings, Entry, Keep } from '../record/index.ts';
import { chooseCut, chooseCutInside, isWhole, lastWholeTurn, turnStarts } from './choose-cut.ts';
import { type Fit, isWorth } from './fit-load.ts';

export interface WeighedFit extends Fit {
  /** Tokens of a request that these take: excluded and removed entries weigh nothing. */
  readonly weigh: (entries: readonly Entry[]) => number;
  /** Tokens that a compaction of these takes out of a request: pinned entries stay. */
  readonly weighGone: (entries: readonly Entry[]) => number;
}

/** An entry of the frontier, and whether it may be summarised. */
export interface Candidate {
  readonly entry: Entry;
  readonly free: boolean;
}

/** The oldest stretch of bare messages that is long enough, without what has to stay. */
export function oldestRun(
  frontier: readonly Candidate[],
  { keep, least }: Pick<CompactionSettings, 'keep' | 'least'>,
): readonly Entry[] {
  const { runs, last } = runsOf(frontier);
  const old = [...runs, ...(last ? [last.slice(0, chooseCut(last, keep))] : [])];
  const long = old.find((run) => run.length >= least.messages && hasTurns(run, least.turns));
  return long ?? (last ? insideNewestTurn(last, { keep, least }) : []);
}

/**
 * The stretch that a full context gives up: as much stays as the policy keeps, and less where that frees too little, down to
 * the last whole turn. Where summaries take more than their share, or nothing else is worth it, they are covered too.
 */
export function runToFit(
  frontier: readonly Candidate[],
  { least }: Pick<CompactionSettings, 'least'>,
  fit: WeighedFit,
): readonly Entry[] {
  const { runs, last = [] } = runsOf(frontier);
  const all = frontier.map(({ entry }) => entry);
  const isEnough = (old: readonly Entry[]) =>
    old.length > 0 && hasTurns(old, least.turns) && isWorth(old, fit, fit.weighGone(old));
  const cuts = cutsToFit(last, all, fit);
  if (
    fit.isEarly &&
    fit.weigh(last.slice(cuts[0])) > (fit.keep.tokens ?? Infinity) + fit.trigger * EARLY_LOSS
  )
    return [];
  const olds = [...runs, ...cuts.map((cut) => last.slice(0, cut))];
  const folded = cuts.map((cut) => stretchBefore(frontier, all.length - last.length + cut));
  const summaries = fit.countsSummaries ? fit.weigh(all.filter(isSummary)) : 0;
  const isCrowded = summaries > 0 && summaries + fit.summary > fit.summaries;
  const chosen = (isCrowded ? [...folded, ...olds] : [...olds, ...folded]).find(isEnough);
  return chosen ?? insideNewestTurn(last, { keep: fit.keep, least, fit });
}

/**
 * Share of the trigger that a summary may cover less, because it is prepared early and the last turn is long. With more, it
 * is better made at the trigger: it covers that turn then, and the next compaction is further away.
 */
const EARLY_LOSS = 0.05;

/**
 * Where the kept tail of the newest run may start, the longest tail first. The last whole turn stays while it fits with
 * everything that is not summarised. Until then `keep` does not count what waits for an answer, a question and results of
 * tools: asking lets nothing go that could stay.
 */
function cutsToFit(run: readonly Entry[], all: readonly Entry[], fit: WeighedFit): readonly number[] {
  const said = run.slice(0, run.findLastIndex(isAnswer) + 1);
  const whole = lastWholeTurn(run);
  const first = Math.min(chooseCut(said, fit.keep), whole ?? run.length);
  const starts = turnStarts(run);
  const deepest = whole ?? first;
  const cuts = [first, ...starts.filter((start) => start > first && start <= deepest)];
  const old = new Set(run.slice(0, deepest));
  const stays = fit.weigh(all.filter((entry) => !old.has(entry) && !isSummary(entry))) + fit.summary;
  const fits = stays <= fit.room || fit.weigh(all) <= fit.room;
  return fits ? cuts : starts.filter((start) => start > deepest);
}

/** Everything that may be summarised directly before an index, summaries included. */
function stretchBefore(frontier: readonly Candidate[], end: number): readonly Entry[] {
  const bound = frontier.slice(0, end).findLastIndex(({ free }) => !free);
  return frontier.slice(bound + 1, end).map(({ entry }) => entry);
}

function isQuestion({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'user';
}

function isAnswer({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'assistant';
}

function isSummary({ body }: Entry): boolean {
  return body.kind === 'compaction';
}

/** One turn that alone is too long is cut behind its question, where no tool call waits for its result. */
function insideNewestTurn(
  run: readonly Entry[],
  { keep, least, fit }: { keep: Keep; least: CompactionSettings['least']; fit?: WeighedFit },
): readonly Entry[] {
  const question = run.findLastIndex(isQuestion);
  const after = run.slice(question + 1);
  const tooLong = fit
    ? fit.weigh(run.slice(Math.max(0, question))) > (isWhole(run) ? fit.room : fit.trigger)
    : sumTokens(after) > (keep.tokens ?? Number.POSITIVE_INFINITY) ||
      after.length > (keep.messages ?? Number.POSITIVE_INFINITY);
  const old = tooLong ? after.slice(0, chooseCutInside(after, keep)) : [];
  const isEnough = old.length >= least.messages && (!fit || isWorth(old, fit, fit.weighGone(old)));
  return isEnough ? old : [];
}

/** The stretches of messages between summaries, the newest apart. */
function runsOf(frontier: readonly Candidate[]): { runs: readonly Entry[][]; last: Entry[] | undefined } {
  const runs = bareRuns(frontier);
  const isLast = runs.at(-1)?.at(-1) === frontier.at(-1)?.entry;
  return isLast ? { runs: runs.slice(0, -1), last: runs.at(-1) } : { runs, last: undefined };
}

export function bareRuns(frontier: readonly Candidate[]): Entry[][] {
  const runs: Entry[][] = [[]];
  for (const { entry, free } of frontier) {
    if (isSummary(entry) || !free) runs.push([]);
    else runs.at(-1)!.push(entry);
  }
  return runs.filter((run) => run.length > 0);
}

function hasTurns(entries: readonly Entry[], least = 0): boolean {
  return entries.filter(isQuestion).length >= least;
}

export function sumTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
