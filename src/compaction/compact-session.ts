import { isThroughlineError } from '../errors.ts';
import type {
  CompactionSettings,
  Entry,
  PresetName,
  SeqRange,
  SessionState,
  Summary,
} from '../record/index.ts';
import { livingRoots, readConversation, type Session } from '../session/index.ts';
import { renderSummary } from '../summary/index.ts';
import { commitCompaction } from './commit-compaction.ts';
import { countMerges } from './count-merges.ts';
import { notingUnused } from './note-unused.ts';
import type { Fit } from './oldest-run.ts';
import { type CompactionPlan, planCompaction } from './plan-compaction.ts';
import { planMerge } from './plan-merge.ts';
import { settingsFor } from './read-policy.ts';
import {
  cannotShrink,
  type Draft,
  mostTokens,
  type SummariseOptions,
  summariseRange,
  throwIfCancelled,
} from './summarise-range.ts';

export interface CompactOptions extends SummariseOptions {
  /** A preset by name, or settings of one's own. Defaults to the session's policy. */
  readonly settings?: PresetName | CompactionSettings;
  /** Only these entries, grown to whole turns. */
  readonly range?: SeqRange;
  /** What the summary should pay attention to. */
  readonly instructions?: string;
  /** How many tokens a summary may take, less what is added so that names and figures are not lost. By default as many as its range is worth. */
  readonly summaryTokens?: number;
}

/** What a compaction did. The field names are a contract: `--json` and RPC print the same. */
export interface CompactionResult {
  readonly compactionId: string;
  readonly summary: string;
  readonly messagesCompacted: number;
  readonly originalTokenCount: number;
  readonly compressedTokenCount: number;
  readonly retention: number;
  readonly by: Draft['by'];
  readonly failures: Draft['failures'];
  /** How many summaries were merged into higher ones after it. */
  readonly merges: number;
  /** Why older summaries that could be merged were not. The compaction itself is in place. */
  readonly unfinished?: string;
}

/** Plan → summarise → verify → commit, then merges neighbours into the next tier. Only ever adds entries. */
export async function compactSession(
  session: Session,
  options: CompactOptions = {},
): Promise<CompactionResult> {
  const { plan, before, frontier } = await prepare(session, options);
  const { entry, draft } = await notingUnused(session, options, async (onUsage) => {
    const draft = await draftSummary(plan, { before, frontier }, { ...options, onUsage });
    throwIfCancelled(options.signal);
    return { entry: await commitCompaction(session, plan, { draft, ...pick(options) }), draft };
  });
  const merged = await mergeTiers(session, () => options);
  return { ...describeCompaction(entry, plan, draft), ...merged };
}

export interface CompactionPreview {
  readonly covers: SeqRange;
  readonly summarised: { readonly messages: number; readonly compactions: number; readonly tokens: number };
  readonly kept: { readonly messages: number; readonly tokens: number };
  readonly leftOut: { readonly messages: number; readonly tokens: number };
  /** The most that it may take. */
  readonly summaryTokens: number;
  /** How many summaries would be merged after it, each by one more call if a model writes them. */
  readonly merges: number;
}

/** What `compactSession` would do with the same options, before anything is spent. */
export async function previewCompaction(
  session: Session,
  options: CompactOptions = {},
): Promise<CompactionPreview> {
  const { plan, frontier, state } = await prepare(session, options);
  const { fanout } = settingsFor(state, options.settings);
  const compactions = plan.entries.filter(({ body }) => body.kind === 'compaction').length;
  return {
    covers: plan.covers,
    summarised: { messages: plan.entries.length - compactions, compactions, tokens: plan.tokensBefore },
    kept: plan.kept,
    leftOut: plan.leftOut,
    summaryTokens: mostTokens(summaryBudget(plan, options)),
    merges: countMerges(frontier, state, { plan, fanout }),
  };
}

export async function prepare(
  session: Session,
  { settings, range }: CompactOptions,
  { fit, ahead }: { fit?: Fit | undefined; ahead?: readonly Entry[] } = {},
): Promise<Prepared> {
  const state = await standing(session);
  const { frontier } = await readConversation(session.store, session.info, ahead);
  const plan = planCompaction(frontier, state, {
    settings: settingsFor(state, settings),
    ...(range && { range }),
    ...(fit && { fit }),
  });
  return { plan, before: summaryBefore(frontier, plan), frontier, state };
}

interface Prepared {
  readonly plan: CompactionPlan;
  readonly before: Summary | undefined;
  readonly frontier: readonly Entry[];
  readonly state: SessionState;
}

/** The state as plans take it: deleted compactions bound nothing. */
async function standing(session: Session): Promise<SessionState> {
  const info = await session.refresh();
  return { ...info.state, roots: await livingRoots(session.store, info) };
}

export function draftSummary(
  plan: CompactionPlan,
  { before, frontier }: { before: Summary | undefined; frontier: readonly Entry[] },
  options: CompactOptions,
): Promise<Draft> {
  const after = frontier.filter(({ seq }) => seq > plan.covers.to).slice(0, LOOKED_AHEAD);
  const request = {
    entries: plan.entries,
    tokensBefore: plan.tokensBefore,
    maxTokens: summaryBudget(plan, options),
    ...(before && { before }),
    ...(after.length > 0 && { after }),
    ...pick(options),
  };
  return summariseRange(request, options);
}

export type Merged = Pick<CompactionResult, 'merges' | 'unfinished'>;

/**
 * Merges until no level has `fanout` neighbours. A merge that gains nothing is left for later, and so is one that fails
 * or is cancelled: nothing is lost by it, and what was compacted before is in place. Asks for its options every time.
 */
export async function mergeTiers(
  session: Session,
  optionsNow: () => CompactOptions,
  onDraft: (draft: Draft, options: CompactOptions) => void = () => {},
): Promise<Merged> {
  for (let merges = 0; ; merges++) {
    const options = optionsNow();
    try {
      const state = await standing(session);
      const { frontier } = await readConversation(session.store, session.info);
      const { fanout } = settingsFor(state, options.settings);
      const plan = planMerge(frontier, state, fanout);
      if (!plan) return { merges };
      await notingUnused(session, options, async (onUsage) => {
        const draft = await draftSummary(
          plan,
          { before: summaryBefore(frontier, plan), frontier },
          { ...options, onUsage },
        );
        onDraft(draft, options);
        throwIfCancelled(options.signal);
        await commitCompaction(session, plan, { draft });
      });
    } catch (error) {
      if (cannotShrink(error)) return { merges };
      if (!isThroughlineError(error)) throw error;
      const { code, message } = error;
      return { merges, unfinished: code === 'cancelled' ? 'it was cancelled' : message };
    }
  }
}

export function describeCompaction(
  entry: Entry,
  plan: CompactionPlan,
  draft: Draft,
): Omit<CompactionResult, keyof Merged> {
  return {
    compactionId: entry.id,
    summary: renderSummary(draft.summary),
    messagesCompacted: plan.entries.filter(({ body }) => body.kind !== 'compaction').length,
    originalTokenCount: plan.tokensBefore,
    compressedTokenCount: draft.tokens,
    retention: draft.retention,
    by: draft.by,
    failures: draft.failures,
  };
}

/** So many entries behind a range are looked at for what they take back. */
const LOOKED_AHEAD = 12;

/** Room that a summary of short talk needs to say all that was settled in it. */
const LEAST_SUMMARY_TOKENS = 500;
/** A sixth of what is replaced, until that is more than a model reads with attention; of a long range a small share more. */
const SHARE = 1 / 6;
const MUCH = 2_000;
const SHARE_OF_LONG = 0.03;
const MOST_SUMMARY_TOKENS = 6_000;
/** Summaries say little that can be left out: one that takes the place of several keeps most of their lines. */
const SHARE_OF_SUMMARIES = 0.6;
/** A summary must save something, also of a few messages. */
const MOST_OF_BEFORE = 0.5;

/** What a summary may take, by what its room buys: see the measurements in docs/benchmarks.md. */
function summaryBudget(
  { tokensBefore, entries }: CompactionPlan,
  { summaryTokens = MOST_SUMMARY_TOKENS }: CompactOptions,
): number {
  const merges = entries.every(({ body }) => body.kind === 'compaction');
  const share = merges ? SHARE_OF_SUMMARIES : SHARE;
  const most = Math.max(MUCH, tokensBefore * SHARE_OF_LONG);
  const wanted = Math.max(LEAST_SUMMARY_TOKENS, Math.min(tokensBefore * share, most));
  return Math.floor(
    Math.min(summaryTokens, wanted, tokensBefore * (merges ? SHARE_OF_SUMMARIES : MOST_OF_BEFORE)),
  );
}

/** The newest summary that stands before the range: the background of the next one. */
function summaryBefore(frontier: readonly Entry[], { covers }: CompactionPlan): Summary | undefined {
  const earlier = frontier.findLast(({ body }) => body.kind === 'compaction' && body.covers.to < covers.from);
  return earlier?.body.kind === 'compaction' ? earlier.body.summary : undefined;
}

function pick({ instructions }: CompactOptions): { instructions?: string } {
  return instructions === undefined ? {} : { instructions };
}
