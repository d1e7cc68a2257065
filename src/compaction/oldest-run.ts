import type { CompactionSettings, Entry, Keep } from '../record/index.ts';
import { chooseCut, chooseCutInside, isWhole, lastWholeTurn } from './choose-cut.ts';

/** How many tokens the conversation may take, as entries are counted. */
export interface Fit {
  /** All that can be sent. */
  readonly room: number;
  /** From here on it is compacted. */
  readonly trigger: number;
  /** The most that the summary takes. */
  readonly summary: number;
}

export interface WeighedFit extends Fit {
  /** Of what is sent: excluded and removed entries weigh nothing. */
  readonly weigh: (entries: readonly Entry[]) => number;
}

/** An entry of the frontier, and whether it may be summarised. */
export interface Candidate {
  readonly entry: Entry;
  readonly free: boolean;
}

/** The oldest stretch of bare messages that is long enough, without what has to stay. */
export function oldestRun(
  frontier: readonly Candidate[],
  settings: CompactionSettings,
  fit: WeighedFit | undefined,
): readonly Entry[] {
  const runs = bareRuns(frontier);
  const end = frontier.at(-1)?.entry;
  const keep = keepWithin(settings.keep, fit);
  const all = frontier.map(({ entry }) => entry);
  for (const run of runs) {
    const last = run.at(-1) === end;
    const old = last ? run.slice(0, keptFrom(run, keep, { fit, all })) : run;
    if (enough(old, settings)) return old;
  }
  const newest = runs.at(-1);
  return newest?.at(-1) === end ? insideNewestTurn(newest ?? [], keep, fit) : [];
}

function keepWithin(keep: Keep, fit: WeighedFit | undefined): Keep {
  if (keep.share === undefined || !fit) return keep;
  const tokens = Math.floor(keep.share * fit.trigger);
  return { ...keep, tokens: Math.min(tokens, keep.tokens ?? tokens) };
}

/**
 * The last whole turn stays, whatever `keep` says, while it fits with everything that is not summarised. Until then `keep`
 * does not count what waits for an answer, a question and results of tools: asking lets nothing go that could stay.
 */
function keptFrom(
  run: readonly Entry[],
  keep: Keep,
  { fit, all }: { fit: WeighedFit | undefined; all: readonly Entry[] },
): number {
  const cut = chooseCut(run, keep);
  if (!fit) return cut;
  const said = run.slice(0, run.findLastIndex(isAnswer) + 1);
  const kept = Math.min(chooseCut(said, keep), lastWholeTurn(run) ?? run.length);
  const old = new Set(run.slice(0, kept));
  const stays = fit.weigh(all.filter((entry) => !old.has(entry))) + fit.summary;
  return stays <= fit.room || fit.weigh(all) <= fit.room ? kept : cut;
}

function isQuestion({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'user';
}

function isAnswer({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'assistant';
}

/** One turn that alone is too long is cut behind its question, where no tool call waits for its result. */
function insideNewestTurn(run: readonly Entry[], keep: Keep, fit: WeighedFit | undefined): readonly Entry[] {
  const question = run.findLastIndex(isQuestion);
  const after = run.slice(question + 1);
  const most = fit && (isWhole(run) ? fit.room : fit.trigger);
  const tooLong =
    most === undefined
      ? sumTokens(after) > (keep.tokens ?? Number.POSITIVE_INFINITY) ||
        after.length > (keep.messages ?? Number.POSITIVE_INFINITY)
      : fit!.weigh(run.slice(Math.max(0, question))) > most;
  return tooLong ? after.slice(0, chooseCutInside(after, keep)) : [];
}

export function bareRuns(frontier: readonly Candidate[]): Entry[][] {
  const runs: Entry[][] = [[]];
  for (const { entry, free } of frontier) {
    if (entry.body.kind === 'compaction' || !free) runs.push([]);
    else runs.at(-1)!.push(entry);
  }
  return runs.filter((run) => run.length > 0);
}

function enough(entries: readonly Entry[], { least }: CompactionSettings): boolean {
  const turns = entries.filter(({ body }) => body.kind === 'message' && body.role === 'user').length;
  return entries.length >= least.messages && turns >= (least.turns ?? 0);
}

export function sumTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
