import { ThroughlineError } from '../errors.ts';
import {
  type CompactionSettings,
  type Entry,
  type EntryId,
  isHidden,
  isMarked,
  isPinned,
  type Keep,
  type SeqRange,
  type SessionState,
  standingInstructions,
} from '../record/index.ts';
import { sayNumber } from '../text/index.ts';
import { chooseCut } from './choose-cut.ts';
import type { Fit } from './fit-load.ts';
import { bareRuns, oldestRun, type RunCandidate, runToFit, sumEntryTokens } from './oldest-run.ts';

/** What a compaction will cover, before anything is spent on it. */
export interface CompactionPlan {
  readonly level: number;
  readonly covers: SeqRange;
  /** The summarised pieces, in the order of the conversation: messages, and compactions that become children. */
  readonly entries: readonly Entry[];
  readonly tokensBefore: number;
  /** The compactions in the range that nothing else covered when it was planned; they will be covered by this one. */
  readonly roots: readonly EntryId[];
  /** In the range, but not summarised: pinned, excluded or removed. */
  readonly passedOver: readonly Entry[];
  /** Compactions that a person opened and that this one takes the place of: they are removed with it. */
  readonly replaced: readonly EntryId[];
  /** How much stays, and how much is in the range but neither summarised nor sent. */
  readonly kept: Kept;
  readonly leftOut: { readonly messages: number; readonly tokens: number };
}

export interface Kept {
  readonly messages: number;
  readonly tokens: number;
  /** The number of messages that was asked for, if another stays: a turn is not cut in two. */
  readonly asked?: number;
}

export interface PlanOptions {
  readonly settings: CompactionSettings;
  /** Chosen by a person; it grows to whole turns and whole compactions. */
  readonly range?: SeqRange;
  /** For a context that is full: how much a compaction has to free. Without it `keep` and `least` alone decide. */
  readonly fit?: Fit;
}

/**
 * Which range leaves the context. Pure. `frontier` is what the context is made from, in the order of the conversation;
 * `roots` are the compactions that stand, without deleted ones (`livingRoots`).
 * The instructions that the conversation began with, the newest user message, what `keep` asks for, pinned entries, and
 * the last whole turn while it fits are never summarised away.
 */
export function planCompaction(
  frontier: readonly Entry[],
  state: Standing,
  { settings, range, fit }: PlanOptions,
): CompactionPlan {
  const { roots, expanded } = state;
  // A person expanded it to see it: collapsing it is the way to shorten it again.
  const kept = roots.filter((root) => isMarked(expanded, root));
  const standing = new Set(standingInstructions(frontier));
  const said = frontier.filter((entry) => !standing.has(entry));
  const free = said.map((entry) => ({ entry, free: !kept.some((root) => within(entry, root)) }));
  const weights = fit && { ...fit, ...weighing(state, fit) };
  const chosen = range
    ? inRange(free, range)
    : weights
      ? runToFit(free, settings, weights)
      : oldestRun(free, settings);
  const entries = chosen.filter((entry) => !isPassedOver(state, entry));
  const messages = entries.filter(({ body }) => body.kind !== 'compaction');
  const children = entries.length - messages.length;
  const isEnough = fit ? entries.length > 0 : messages.length >= settings.least.messages || children >= 2;
  if (!isEnough) {
    const could = free.flatMap((one) => (one.free ? [one.entry] : []));
    const held = weights && weights.weigh(said) - weights.weighGone(could);
    throw nothingToCompact(range ? entries : couldGo(free, state, settings), settings, { range, held });
  }
  return planOf(chosen, { frontier, state, asked: range || fit ? undefined : settings.keep.messages });
}

/** The plan by which these neighbours on the frontier leave the context. */
export function planOf(
  chosen: readonly Entry[],
  { frontier, state, asked }: { frontier: readonly Entry[]; state: Standing; asked?: number | undefined },
): CompactionPlan {
  const entries = chosen.filter((entry) => !isPassedOver(state, entry));
  const leftOut = chosen.filter((entry) => isHidden(state, entry));
  const rest = frontier.filter((entry) => !entries.includes(entry) && !isHidden(state, entry));
  const levels = entries.map(({ body }) => (body.kind === 'compaction' ? body.level : 0));
  const covers = spanOf(chosen);
  return {
    level: Math.max(...levels) + 1,
    covers,
    entries,
    tokensBefore: sumEntryTokens(entries),
    passedOver: chosen.filter((entry) => !entries.includes(entry)),
    roots: state.roots.filter((root) => touches(root, covers)).map(({ id }) => id),
    replaced: [],
    kept: keptOf(rest, asked),
    leftOut: { messages: leftOut.length, tokens: sumEntryTokens(leftOut) },
  };
}

function keptOf(rest: readonly Entry[], asked: number | undefined): Kept {
  const messages = rest.filter(({ body }) => body.kind === 'message').length;
  return {
    messages,
    tokens: sumEntryTokens(rest),
    ...(asked !== undefined && asked !== messages && { asked }),
  };
}

type Marks = Pick<SessionState, 'pinned' | 'excluded' | 'removed' | 'expanded'>;
type Standing = Pick<SessionState, keyof Marks | 'roots'>;

function weighing(
  marks: Marks,
  { countsSummaries }: Fit,
): Record<'weigh' | 'weighGone', (entries: readonly Entry[]) => number> {
  const counts = ({ body }: Entry) => countsSummaries || body.kind !== 'compaction';
  const sum = (entries: readonly Entry[], stays: (entry: Entry) => boolean) =>
    sumEntryTokens(entries.filter((entry) => counts(entry) && !stays(entry)));
  return {
    weigh: (entries) => sum(entries, (entry) => isHidden(marks, entry)),
    weighGone: (entries) => sum(entries, (entry) => isPassedOver(marks, entry)),
  };
}

/** For the refusal: the longest stretch of messages that need not stay, though it is too short to be summarised. */
function couldGo(
  frontier: readonly RunCandidate[],
  state: Marks,
  { keep }: CompactionSettings,
): readonly Entry[] {
  const end = frontier.at(-1)?.entry;
  const old = bareRuns(frontier)
    .map((run) => (run.at(-1) === end ? run.slice(0, chooseCut(run, keep)) : run))
    .map((run) => run.filter((entry) => !isPassedOver(state, entry)));
  return old.reduce((longest, run) => (run.length > longest.length ? run : longest), []);
}

/** The entries a person chose, grown to whole turns, without the newest user message and what follows it. */
function inRange(candidates: readonly RunCandidate[], { from, to }: SeqRange): readonly Entry[] {
  const frontier = candidates.map(({ entry }) => entry);
  const newest = frontier.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user');
  const touched = frontier
    .map((entry, index) => ({ index, ...spanOf([entry]) }))
    .filter((span) => touches(span, { from, to }) && span.index < newest);
  if (touched.length === 0) return [];
  const isTurnStart = (index: number) => {
    const body = frontier[index]?.body;
    return body === undefined || body.kind !== 'message' || body.role === 'user';
  };
  let first = touched[0]!.index;
  while (first > 0 && !isTurnStart(first)) first--;
  let end = touched.at(-1)!.index + 1;
  while (end < newest && !isTurnStart(end)) end++;
  return candidates.slice(first, end).some(({ free }) => !free) ? [] : frontier.slice(first, end);
}

/** The seqs that entries stand for: a compaction stands for what it covers. */
export function spanOf(entries: readonly Entry[]): SeqRange {
  const spans = entries.map(({ seq, body }) =>
    body.kind === 'compaction' ? body.covers : { from: seq, to: seq },
  );
  return { from: Math.min(...spans.map((span) => span.from)), to: Math.max(...spans.map((span) => span.to)) };
}

function within(entry: Entry, root: SeqRange): boolean {
  const { from, to } = spanOf([entry]);
  return from >= root.from && to <= root.to;
}

export function touches(a: SeqRange, b: SeqRange): boolean {
  return a.to >= b.from && a.from <= b.to;
}

/** True for an entry that is neither summarised nor, as a compaction, covered: it is pinned, hidden or opened. */
export function isPassedOver(state: Marks, entry: Entry): boolean {
  const isOpened = entry.body.kind === 'compaction' && isMarked(state.expanded, entry);
  return isPinned(state, entry) || isHidden(state, entry) || isOpened;
}

function nothingToCompact(
  entries: readonly Entry[],
  { least, keep }: CompactionSettings,
  { range, held }: { range: SeqRange | undefined; held: number | undefined },
): ThroughlineError {
  const messages = entries.filter(({ body }) => body.kind !== 'compaction').length;
  const kept = range ? '' : sayKept(keep);
  const few = messages < least.messages ? `${least.messages}` : `${least.turns} turns`;
  const why =
    messages === 0 && !range
      ? 'no message stands before those that are kept, and the last turn always is.'
      : `${messages} older ${messages === 1 ? 'message' : 'messages'} could go, and fewer than ${few} are left alone.`;
  return new ThroughlineError('nothing-to-compact', `Nothing to compact: ${why}${kept}`, {
    details: {
      messages,
      least: least.messages,
      ...(!range && { keep }),
      ...(held !== undefined && { held }),
    },
  });
}

function sayKept(keep: Keep): string {
  const amounts = (['tokens', 'messages', 'turns'] as const).flatMap((what) =>
    keep[what] === 1 ? what.slice(0, -1) : keep[what] ? `${sayNumber(keep[what])} ${what}` : [],
  );
  if (amounts.length === 0) return '';
  const whole = (keep.messages ?? 0) > 1 ? ' A turn is not cut in two.' : '';
  return ` The newest ${amounts.join(' or ')} ${/\d/.test(amounts.at(-1)!) ? 'are' : 'is'} kept.${whole}`;
}
