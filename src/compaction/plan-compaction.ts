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
import { chooseCut } from './choose-cut.ts';
import { bareRuns, type Candidate, type Fit, oldestRun, sumTokens } from './oldest-run.ts';

/** What a compaction will cover, before anything is spent on it. */
export interface CompactionPlan {
  readonly level: number;
  readonly covers: SeqRange;
  /** What is summarised, in the order of the conversation: messages, and compactions that become children. */
  readonly entries: readonly Entry[];
  readonly tokensBefore: number;
  /** The compactions in the range that nothing else covered when it was planned; they will be covered by this one. */
  readonly roots: readonly EntryId[];
  /** In the range, but not summarised: pinned, excluded or removed. */
  readonly passedOver: readonly Entry[];
  /** For the preview: how much stays, and how much is in the range but neither summarised nor sent. */
  readonly kept: { readonly messages: number; readonly tokens: number };
  readonly leftOut: { readonly messages: number; readonly tokens: number };
}

export interface PlanOptions {
  readonly settings: CompactionSettings;
  /** Chosen by a person; it grows to whole turns and whole compactions. */
  readonly range?: SeqRange;
  /** Without it nothing is known about the window, and `keep` alone decides. */
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
  state: Pick<SessionState, 'pinned' | 'excluded' | 'removed' | 'expanded' | 'roots'>,
  { settings, range, fit }: PlanOptions,
): CompactionPlan {
  const { roots, expanded } = state;
  // A person expanded it to see it: collapsing it is the way to shorten it again.
  const kept = roots.filter((root) => isMarked(expanded, root));
  const standing = new Set(standingInstructions(frontier));
  const said = frontier.filter((entry) => !standing.has(entry));
  const free = said.map((entry) => ({ entry, free: !kept.some((root) => within(entry, root)) }));
  const isLeftOut = (entry: Entry) => isHidden(state, entry);
  const weigh = (entries: readonly Entry[]) => sumTokens(entries.filter((entry) => !isLeftOut(entry)));
  const chosen = range ? inRange(free, range) : oldestRun(free, settings, fit && { ...fit, weigh });
  const entries = chosen.filter((entry) => !isPassedOver(state, entry));
  const messages = entries.filter(({ body }) => body.kind !== 'compaction');
  const children = entries.length - messages.length;
  if (messages.length < settings.least.messages && children < 2)
    throw nothingToCompact(range ? entries : couldGo(free, state, settings), settings, range);
  const rest = frontier.filter((entry) => !entries.includes(entry) && !isLeftOut(entry));
  const levels = entries.map(({ body }) => (body.kind === 'compaction' ? body.level : 0));
  return {
    level: Math.max(...levels) + 1,
    covers: spanOf(chosen),
    entries,
    tokensBefore: sumTokens(entries),
    passedOver: chosen.filter((entry) => !entries.includes(entry)),
    roots: roots.filter((root) => touches(root, spanOf(chosen))).map(({ id }) => id),
    kept: { messages: rest.filter(({ body }) => body.kind === 'message').length, tokens: sumTokens(rest) },
    leftOut: {
      messages: chosen.filter(isLeftOut).length,
      tokens: sumTokens(chosen.filter(isLeftOut)),
    },
  };
}

/** For the refusal: the longest stretch of messages that need not stay, though it is too short to be summarised. */
function couldGo(
  frontier: readonly Candidate[],
  state: Pick<SessionState, 'pinned' | 'excluded' | 'removed' | 'expanded'>,
  { keep }: CompactionSettings,
): readonly Entry[] {
  const end = frontier.at(-1)?.entry;
  const old = bareRuns(frontier)
    .map((run) => (run.at(-1) === end ? run.slice(0, chooseCut(run, keep)) : run))
    .map((run) => run.filter((entry) => !isPassedOver(state, entry)));
  return old.reduce((longest, run) => (run.length > longest.length ? run : longest), []);
}

/** The entries a person chose, grown to whole turns, without the newest user message and what follows it. */
function inRange(candidates: readonly Candidate[], { from, to }: SeqRange): readonly Entry[] {
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
function spanOf(entries: readonly Entry[]): SeqRange {
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
export function isPassedOver(
  state: Pick<SessionState, 'pinned' | 'excluded' | 'removed' | 'expanded'>,
  entry: Entry,
): boolean {
  const isOpened = entry.body.kind === 'compaction' && isMarked(state.expanded, entry);
  return isPinned(state, entry) || isHidden(state, entry) || isOpened;
}

function nothingToCompact(
  entries: readonly Entry[],
  { least, keep }: CompactionSettings,
  range: SeqRange | undefined,
): ThroughlineError {
  const messages = entries.filter(({ body }) => body.kind !== 'compaction').length;
  const kept = range ? '' : sayKept(keep);
  const few = messages < least.messages ? `${least.messages}` : `${least.turns} turns`;
  return new ThroughlineError(
    'nothing-to-compact',
    `Nothing to compact: ${messages} older ${messages === 1 ? 'message' : 'messages'} could go, and fewer than ${few} are left alone.${kept}`,
    { details: { messages, least: least.messages, ...(!range && { keep }) } },
  );
}

function sayKept(keep: Keep): string {
  const amounts = (['tokens', 'messages', 'turns'] as const).flatMap((what) =>
    keep[what] === 1 ? what.slice(0, -1) : keep[what] ? `${keep[what].toLocaleString('en')} ${what}` : [],
  );
  if (amounts.length === 0) return '';
  const whole = (keep.messages ?? 0) > 1 ? ' A turn is not cut in two.' : '';
  return ` The newest ${amounts.join(' or ')} ${/\d/.test(amounts.at(-1)!) ? 'are' : 'is'} kept.${whole}`;
}
