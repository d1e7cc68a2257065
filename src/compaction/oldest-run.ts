import type { CompactionSettings, Entry, Keep } from '../record/index.ts';
import { chooseCut, chooseCutInside, isWhole, lastWholeTurn, turnStarts } from './choose-cut.ts';
import { type Fit, isWorth } from './fit-load.ts';

interface WeighedFit extends Fit {
  /** Tokens of a request that these take: excluded and removed entries weigh nothing. */
  readonly weigh: (entries: readonly Entry[]) => number;
  /** Tokens that a compaction of these takes out of a request: pinned entries stay. */
  readonly weighGone: (entries: readonly Entry[]) => number;
}

/** An entry of the frontier, and whether it may be summarised. */
export interface RunCandidate {
  readonly entry: Entry;
  readonly free: boolean;
}

/** The oldest stretch of bare messages that is long enough, without what has to stay. */
export function oldestRun(
  frontier: readonly RunCandidate[],
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
  frontier: readonly RunCandidate[],
  { least }: Pick<CompactionSettings, 'least'>,
  fit: WeighedFit,
): readonly Entry[] {
  const { runs, last = [] } = runsOf(frontier);
  const all = frontier.map(({ entry }) => entry);
  const isEnough = (old: readonly Entry[]) =>
    old.length > 0 && hasTurns(old, least.turns) && isWorth(old, fit, fit.weighGone(old));
  const keep = keepWith(comingBefore(last, fit), fit.keep);
  const cuts = cutsToFit(last, all, { ...fit, keep });
  const most = (keep.tokens ?? Number.POSITIVE_INFINITY) + fit.trigger * EARLY_LOSS;
  if (fit.until > 0 && fit.weigh(last.slice(cuts[0])) > most) return [];
  // Each is made when it is tried: there may be thousands of turns to cut before.
  const olds = [...runs.map((run) => () => run), ...cuts.map((cut) => () => last.slice(0, cut))];
  const folded = cuts.map((cut) => () => stretchBefore(frontier, all.length - last.length + cut));
  const summaries = fit.countsSummaries ? fit.weigh(all.filter(isSummary)) : 0;
  const isTight =
    fit.weigh(last.slice(cuts[0])) + summaries + fit.summary + nextQuestion(last, fit) > fit.room * SURE_ROOM;
  const isCrowded = summaries > 0 && (isTight || summaries + fit.summary > fit.summaries);
  for (const stretch of isCrowded ? [...folded, ...olds] : [...olds, ...folded]) {
    const old = stretch();
    if (isEnough(old)) return old;
  }
  return insideNewestTurn(last, { keep, least, fit });
}

/**
 * Share of the trigger that a summary may cover less, because it is prepared early. With more, it is better made a turn
 * later, or at the trigger: it covers one turn more then, and the next compaction is further away.
 */
const EARLY_LOSS = 0.02;

/** Share of the room that is surely there at the next question: how a provider counts is an estimate, and changes. */
const SURE_ROOM = 0.95;

/** What will be said until a summary that is prepared now takes its place: whole turns, as long as those so far. */
function comingBefore(run: readonly Entry[], { until, weigh }: WeighedFit): number {
  const turns = turnStarts(run).length;
  const turn = turns > 0 ? weigh(run) / turns : 0;
  return turn > 0 ? Math.ceil(until / turn) * turn : until;
}

/** A question like the newest: beside it the last whole turn has to fit, which nothing else can make room for then. */
function nextQuestion(run: readonly Entry[], { weigh }: WeighedFit): number {
  return isWhole(run) ? weigh(run.filter(isQuestion).slice(-1)) : 0;
}

function keepWith(coming: number, { tokens, ...counts }: Keep): Keep {
  return tokens === undefined ? counts : { ...counts, tokens: tokens - coming };
}

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
function stretchBefore(frontier: readonly RunCandidate[], end: number): readonly Entry[] {
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
    : sumEntryTokens(after) > (keep.tokens ?? Number.POSITIVE_INFINITY) ||
      after.length > (keep.messages ?? Number.POSITIVE_INFINITY);
  const old = tooLong ? after.slice(0, chooseCutInside(after, keep)) : [];
  const isEnough = old.length >= least.messages && (!fit || isWorth(old, fit, fit.weighGone(old)));
  return isEnough ? old : [];
}

/** The stretches of messages between summaries, the newest apart. */
function runsOf(frontier: readonly RunCandidate[]): { runs: readonly Entry[][]; last: Entry[] | undefined } {
  const runs = bareRuns(frontier);
  const isLast = runs.at(-1)?.at(-1) === frontier.at(-1)?.entry;
  return isLast ? { runs: runs.slice(0, -1), last: runs.at(-1) } : { runs, last: undefined };
}

export function bareRuns(frontier: readonly RunCandidate[]): Entry[][] {
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

export function sumEntryTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
