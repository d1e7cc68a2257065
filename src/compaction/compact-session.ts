import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import { type Entry, isHidden, type SeqRange, type SessionState, type Summary } from '../record/index.ts';
import { livingRoots, readConversation, type Session } from '../session/index.ts';
import { renderSummary } from '../summary/index.ts';
import { sayNumber } from '../text/index.ts';
import { closeOpened } from './close-opened.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type CompactOptions, checkCompaction } from './compact-options.ts';
import { countMerges } from './count-merges.ts';
import { type Fit, keepOf } from './fit-load.ts';
import { notingUnused } from './note-unused.ts';
import {
  type CompactionPlan,
  type Kept,
  type PlanOptions,
  planCompaction,
  touches,
} from './plan-compaction.ts';
import { planMerge } from './plan-merge.ts';
import { settingsFor } from './read-policy.ts';
import {
  cannotShrink,
  mostTokens,
  type RangeDraft,
  summariseRange,
  throwIfCancelled,
} from './summarise-range.ts';
import { summaryBudget } from './summary-budget.ts';

/** What a compaction did. The field names are a contract: `--json` and RPC print the same. */
export interface CompactionResult {
  readonly compactionId: string;
  readonly summary: string;
  readonly messagesCompacted: number;
  readonly kept: Kept;
  readonly originalTokenCount: number;
  readonly compressedTokenCount: number;
  readonly retention: number;
  readonly by: RangeDraft['by'];
  /** US dollars that the calls for it took, if their price is known. */
  readonly cost?: number;
  readonly failures: RangeDraft['failures'];
  /** Who wrote it instead of the model that should have, why, and the cost of the calls, as a sentence for people. */
  readonly instead?: string;
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
  checkCompaction(session, options, 'compactSession');
  const { plan, ...known } = await prepare(session, options);
  const { entry, draft } = await notingUnused(session, options, async (onUsage) => {
    const draft = await draftSummary(plan, known, { ...options, onUsage });
    throwIfCancelled(options.signal);
    return { entry: await commitCompaction(session, plan, { draft, ...pick(options) }), draft };
  });
  const merged = await mergeTiers(session, () => options);
  return { ...describeCompaction(entry, plan, draft), ...merged };
}

export interface CompactionPreview {
  readonly covers: SeqRange;
  readonly summarised: { readonly messages: number; readonly compactions: number; readonly tokens: number };
  readonly kept: Kept;
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
  checkCompaction(session, options, 'previewCompaction');
  const { plan, frontier, state } = await prepare(session, options);
  const { fanout } = settingsFor(state, options.settings);
  const compactions = plan.entries.filter(({ body }) => body.kind === 'compaction').length;
  const { maxTokens, foreignTokens } = summaryBudget(plan, options);
  return {
    covers: plan.covers,
    summarised: { messages: plan.entries.length - compactions, compactions, tokens: plan.tokensBefore },
    kept: plan.kept,
    leftOut: plan.leftOut,
    summaryTokens: mostTokens(maxTokens) + foreignTokens,
    merges: countMerges(frontier, state, { plan, fanout }),
  };
}

export async function prepare(
  session: Session,
  { settings: given, range, load }: CompactOptions,
  { fit, ahead }: { fit?: Fit | undefined; ahead?: readonly Entry[] } = {},
): Promise<Prepared> {
  const state = await standing(session);
  const { frontier } = await readConversation(session.store, session.info, ahead);
  const settings = settingsFor(state, given);
  const how = {
    settings: { ...settings, keep: keepOf(settings, load) },
    ...(range && { range }),
    ...(fit && { fit }),
  };
  const plan = await planStanding(frontier, state, how).catch((error: unknown) => {
    // A person who undoes a compaction and asks for one again wants those messages summarised, but another way.
    if (fit || range || !isThroughlineError(error, 'nothing-to-compact')) throw error;
    return planUndone(session, frontier, { state, how, error });
  });
  return { plan, before: summaryBefore(frontier, state, plan), frontier, state };
}

async function planStanding(...given: Parameters<typeof planCompaction>): Promise<CompactionPlan> {
  return planCompaction(...given);
}

/** The plan over the messages of compactions that were undone, which it replaces; the same error if there are none. */
async function planUndone(
  { store, id }: Session,
  frontier: readonly Entry[],
  { state, how, error }: { state: SessionState; how: PlanOptions; error: ThroughlineError },
): Promise<CompactionPlan> {
  const { opened, closed } = await closeOpened(store, { id, state });
  if (opened.length === 0) throw error;
  const plan = planCompaction(frontier, closed, how);
  const replaced = opened.filter((root) => touches(root, plan.covers)).map((root) => root.id);
  return { ...plan, replaced };
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
  { before, frontier, state }: Pick<Prepared, 'before' | 'frontier' | 'state'>,
  options: CompactOptions,
): Promise<RangeDraft> {
  const after = frontier
    .filter((entry) => entry.seq > plan.covers.to && !isHidden(state, entry))
    .slice(0, LOOKED_AHEAD);
  const asked = requestBefore(frontier, state, plan);
  const request = {
    entries: plan.entries,
    tokensBefore: plan.tokensBefore,
    ...summaryBudget(plan, options),
    ...(before && { before }),
    ...(asked && { asked }),
    ...(after.length > 0 && { after }),
    ...(options.load?.scale !== undefined && { scale: options.load.scale }),
    // In sessions of work the checkpoint is what the next request is made of.
    ...(state.settings.work && { keepStated: true }),
    ...pick(options),
  };
  return summariseRange(request, options);
}

type Merged = Pick<CompactionResult, 'merges' | 'unfinished'>;

/**
 * Merges until no level has `fanout` neighbours. A merge that gains nothing is left for later, and so is one that fails or is
 * cancelled: nothing is lost by it, and earlier compactions are in place. Asks for its options every time.
 */
export async function mergeTiers(
  session: Session,
  optionsNow: () => CompactOptions,
  onDraft: (draft: RangeDraft, options: CompactOptions) => void = () => {},
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
          { before: summaryBefore(frontier, state, plan), frontier, state },
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
  draft: RangeDraft,
): Omit<CompactionResult, keyof Merged> {
  return {
    compactionId: entry.id,
    summary: renderSummary(draft.summary),
    messagesCompacted: plan.entries.filter(({ body }) => body.kind !== 'compaction').length,
    kept: plan.kept,
    originalTokenCount: plan.tokensBefore,
    compressedTokenCount: draft.tokens,
    retention: draft.retention,
    by: draft.by,
    ...(draft.usage?.cost !== undefined && { cost: draft.usage.cost }),
    failures: draft.failures,
    ...sayInstead(draft),
  };
}

function sayInstead({ by, failures, usage }: RangeDraft): Pick<CompactionResult, 'instead'> {
  const failed = failures.at(-1);
  if (!failed) return {};
  const who = by.kind === 'model' ? by.model : 'The digest';
  const spent = usage ? usage.inputTokens + usage.outputTokens : 0;
  const cost = spent > 0 ? ` The calls took ${sayNumber(spent)} tokens.` : '';
  const reason = failed.reason.replace(/[.\s]*$/, '.');
  return { instead: `${who} wrote the summary, because ${failed.by} did not: ${reason}${cost}` };
}

/** So many entries behind a range are looked at for what they take back. */
const LOOKED_AHEAD = 60;

/** The newest summary that stands before the range: the background of the next one. */
function summaryBefore(
  frontier: readonly Entry[],
  state: SessionState,
  { covers }: CompactionPlan,
): Summary | undefined {
  const earlier = frontier.findLast(
    (entry) =>
      entry.body.kind === 'compaction' && entry.body.covers.to < covers.from && !isHidden(state, entry),
  );
  return earlier?.body.kind === 'compaction' ? earlier.body.summary : undefined;
}

/**
 * The request that a range inside a turn answers: it stays, and the summary says what it summarises the work on. A request
 * that was left out of the context is left out of the summary too.
 */
function requestBefore(
  frontier: readonly Entry[],
  state: SessionState,
  { covers, entries }: Pick<CompactionPlan, 'covers' | 'entries'>,
): Entry | undefined {
  const first = entries[0]?.body;
  if (first?.kind !== 'message' || first.role === 'user') return undefined;
  const request = frontier.findLast(
    ({ seq, body }) => seq < covers.from && body.kind === 'message' && body.role === 'user',
  );
  return request && !isHidden(state, request) ? request : undefined;
}

function pick({ instructions }: CompactOptions): { instructions?: string } {
  return instructions === undefined ? {} : { instructions };
}
