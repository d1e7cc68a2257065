import { isThroughlineError } from '../errors.ts';
import type { CompactionReason, Seq, SessionInfo } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { commitCompaction } from './commit-compaction.ts';
import type { CompactOptions } from './compact-options.ts';
import {
  type CompactionResult,
  describeCompaction,
  draftSummary,
  mergeTiers,
  prepare,
} from './compact-session.ts';
import { whyNow } from './economy/why-now.ts';
import { fitLoad, isWorth, whyNoRoom } from './fit-load.ts';
import { countSpent, createModelLeave, writerNow } from './model-leave.ts';
import { noteUnused, notingUnused } from './note-unused.ts';
import { sumEntryTokens } from './oldest-run.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { checkTrigger, type Load, settingsFor, triggerOf } from './read-policy.ts';
import type { SummaryDraft } from './review/read-draft.ts';
import { type RangeDraft, throwIfCancelled } from './summarise-range.ts';
import { unlessAborted } from './within-time.ts';

// From the soft mark on a summary is made in the background, on a snapshot, and put in place at the hard mark: until there is
// no room left, no turn waits for it. Two tries that bring the load no lower stop it, and so does a head that leaves no room:
// otherwise that session would burn money on every turn. It goes on when a person acts (marks or compacts something), and
// when as much was said since as a compaction has to free.

export interface AutoOptions extends CompactOptions {
  /** How full the context is now; asked again after each compaction. */
  readonly measure: () => Promise<Load>;
  readonly now?: () => number;
  /** Once so many tokens went into summaries by a model in an hour, the digest does it. */
  readonly spendPerHour?: number;
}

export type AutoOutcome =
  | { readonly did: 'nothing' }
  | { readonly did: 'prepare' }
  | { readonly did: 'compact'; readonly result: CompactionResult; readonly why: CompactionReason }
  /** Where a person is asked first: this draft waits to be approved. Said once for each draft. */
  | { readonly did: 'draft'; readonly draft: DraftToTell }
  /** With the compaction that gained too little, if one was made just now. */
  | {
      readonly did: 'stop';
      readonly reason: string;
      readonly result?: CompactionResult;
      readonly why?: CompactionReason;
    };

/** The notice of a waiting draft. */
export type DraftToTell = Pick<SummaryDraft, 'id' | 'messages' | 'tokensBefore' | 'tokensAfter'>;

export interface AutoCompaction {
  /**
   * Call after every turn, and before a request: prepares, compacts or does nothing. A caller that does not want to wait
   * aborts the signal: nothing is done then, and the summary that is being written is used the next time. `onCompact` is
   * called before a compaction that the caller has to wait for.
   */
  consider(options?: {
    readonly signal?: AbortSignal;
    readonly onCompact?: (why: CompactionReason) => void;
  }): Promise<AutoOutcome>;
  /** True while a summary is being made. */
  readonly preparing: boolean;
  /** Gives up the summary that is being made, also at the hard mark; the context stays as it is. Resolves when it is over. */
  cancel(): Promise<void>;
  /** Why there is no automatic compaction any more, until a person acts, enough is said, or `resume` is called. */
  readonly stopped: string | undefined;
  resume(): void;
}

const TRIES = 2;
/** Share of the trigger that a compaction has to bring: half of the least that is planned. */
const LEAST_GAIN = 0.125;
const NOTHING_LEFT =
  'nothing is left that could be summarised. Compact with fewer messages kept, or choose a model with a larger window';
const NO_SMALLER =
  'summaries do not make it any smaller. Choose another model for summaries, or one with a larger window';

/** How full the context was, and how many messages the log had then. */
interface Measured {
  readonly messages: number;
  readonly load: Load;
}

type Considering = NonNullable<Parameters<AutoCompaction['consider']>[0]>;

interface Prepared {
  readonly plan: CompactionPlan;
  readonly draft: Promise<RangeDraft>;
  readonly abort: AbortController;
  /** It is being put in place: what it cost will be said there. */
  placed: boolean;
}

export function createAutoCompaction(session: Session, options: AutoOptions): AutoCompaction {
  const { measure, now = Date.now, spendPerHour, summariser, ...given } = options;
  const settings = settingsFor(session.info.state, given.settings);
  const leave = createModelLeave({ spendPerHour, now });
  /** The summary in progress, or waiting to be put in place. */
  let work: Prepared | undefined;
  let preparing = 0;
  let fruitless = 0;
  /** `since`: summaries of the log up to here did not help. 0 where none was made. */
  let stopped: { readonly reason: string; readonly since: Seq } | undefined;
  /** Why the plan that was tried last can free too little, however much more is said. */
  let noRoom: string | undefined;
  /** What the newest plan was made for. */
  let planned: { readonly load: Load; readonly summaryTokens: number } | undefined;
  let known: string | undefined;
  let counted = false;

  /** As things stand: a model that may not be asked is left out, and the event says so. */
  function optionsNow(signals: readonly (AbortSignal | undefined)[]): CompactOptions {
    const waited = [given.signal, ...signals].filter((signal) => signal !== undefined);
    const all = {
      ...planned,
      ...given,
      settings,
      onUsage: leave.spend,
      signal: AbortSignal.any(waited),
    };
    return { ...all, ...writerNow(leave, summariser) };
  }

  function judge(draft: RangeDraft, chosen: CompactOptions): void {
    if (summariser && chosen.summariser === summariser) leave.judge(draft);
  }

  /** `undefined` if nothing can be summarised that is worth it; behind `since`, if given. */
  async function start(load: Load, since: Seq = 0): Promise<Prepared | undefined> {
    noRoom = whyNoRoom(load, settings, 0);
    if (noRoom !== undefined) return undefined;
    const fit = fitLoad(load, settings);
    planned = { load, summaryTokens: fit.budget };
    try {
      const prepared = await prepare(session, { ...given, settings }, { fit });
      const fresh = prepared.plan.entries.filter(({ seq }) => seq > since);
      if (since > 0 && !isWorth(fresh, fit, sumEntryTokens(fresh))) return undefined;
      const abort = new AbortController();
      const chosen = optionsNow([abort.signal]);
      const draft = notingUnused(session, chosen, (onUsage) =>
        draftSummary(prepared.plan, prepared, { ...chosen, onUsage }),
      );
      preparing++;
      // A caller that waits for the draft sees the failure; until then it must not count as unhandled.
      draft
        .then(
          (made) => judge(made, chosen),
          () => {},
        )
        .finally(() => preparing--);
      return { plan: prepared.plan, draft, abort, placed: false };
    } catch (error) {
      if (!isThroughlineError(error, 'nothing-to-compact')) throw error;
      noRoom = whyNoRoom(load, settings, Number(error.details.held ?? 0));
      return undefined;
    }
  }

  async function swapIn(
    prepared: Prepared,
    { why, signal }: { why: CompactionReason; signal: AbortSignal | undefined },
  ): Promise<CompactionResult> {
    const { plan, abort } = prepared;
    const draft = await unlessAborted(prepared.draft, signal);
    throwIfCancelled(abort.signal);
    prepared.placed = true;
    const entry = await commitCompaction(session, plan, { draft, why }).catch(async (error: unknown) => {
      await noteUnused(session, draft, (error as Error).message);
      throw error;
    });
    const merged = await mergeTiers(session, () => optionsNow([abort.signal, signal]), judge);
    return { ...describeCompaction(entry, plan, draft), ...merged };
  }

  /** `undefined` if the range was compacted or marked since it was planned. */
  async function compact(before: Measured, how: Considering): Promise<AutoOutcome | undefined> {
    const { signal, onCompact } = how;
    work ??= await start(before.load);
    // Too little is old enough. That is no failure, and changes as soon as more is said, unless the rest never goes.
    if (!work && noRoom !== undefined) return stop(noRoom);
    if (!work) return fruitless === 0 ? { did: 'nothing' } : stop(NOTHING_LEFT);
    const current = work;
    const why = whyNow(before.load, settings);
    onCompact?.(why);
    try {
      const result = await swapIn(current, { why, signal });
      forget(current);
      known = actsIn(await session.refresh());
      const after = await measure();
      const isFull = checkTrigger(after, settings) === 'hard';
      const gain = triggerOf(before.load, settings).reached - triggerOf(after, settings).reached;
      // A question that came while the summary was written makes the load larger, whatever the summary gained.
      const isSame = session.info.totals.messages === before.messages;
      if (isFull && isSame && gain < LEAST_GAIN) return fail(NO_SMALLER, { result, why });
      if (!isFull || gain >= LEAST_GAIN) fruitless = 0;
      return { did: 'compact', result, why };
    } catch (error) {
      // A caller that stops waiting leaves the summary in progress to the next caller.
      if (isThroughlineError(error, 'cancelled')) {
        if (!signal?.aborted || current.abort.signal.aborted || given.signal?.aborted) forget(current);
        return { did: 'nothing' };
      }
      forget(current);
      if (isThroughlineError(error, 'compaction-stale')) return undefined;
      return fail((error as Error).message);
    }
  }

  function forget(over: Prepared): void {
    if (work === over) work = undefined;
  }

  function fail(reason: string, made?: { result: CompactionResult; why: CompactionReason }): AutoOutcome {
    if (++fruitless < TRIES) return made ? { did: 'compact', ...made } : { did: 'nothing' };
    return { ...stop(reason, session.info.head), ...made };
  }

  function stop(reason: string, since: Seq = 0): AutoOutcome {
    stopped = { reason, since };
    return { did: 'stop', reason };
  }

  function goOn(): void {
    stopped = undefined;
    noRoom = undefined;
    fruitless = 0;
  }

  function resume(): void {
    goOn();
    leave.forgive();
  }

  /** A new process counts the cost of earlier summaries too: the log has it. */
  async function countEarlier(): Promise<void> {
    if (counted || spendPerHour === undefined) return;
    counted = true;
    await countSpent(session, leave.spend);
  }

  /** What a person did to the context since the last time, here or in another process, is a reason to try again. */
  async function noticeActs(): Promise<void> {
    const acts = actsIn(await session.refresh());
    if (known !== undefined && acts !== known) resume();
    known = acts;
  }

  return {
    async consider(how = {}) {
      await countEarlier();
      await noticeActs();
      const before: Measured = { messages: session.info.totals.messages, load: await measure() };
      const { load } = before;
      const mark = checkTrigger(load, settings);
      if (stopped !== undefined) {
        // More may have been said since, and instructions and tools may have become fewer.
        if (mark === 'hard') work ??= await start(load, stopped.since);
        if (mark === 'hard' ? !work : stopped.since > 0) return { did: 'nothing' };
        goOn();
      }
      if (mark === 'hard') {
        // A prepared range may be gone since; there is still no room.
        const outcome = (await compact(before, how)) ?? (await compact(before, how));
        return outcome ?? { did: 'nothing' };
      }
      // The digest takes no time worth hiding, and a summary made at the hard mark covers more.
      if (mark === 'none' || work || !summariser || leave.refusal !== undefined) return { did: 'nothing' };
      work = await start(load);
      return work ? { did: 'prepare' } : { did: 'nothing' };
    },
    get preparing() {
      return preparing > 0;
    },
    async cancel() {
      const over = work;
      work = undefined;
      over?.abort.abort();
      const made = await over?.draft.catch(() => undefined);
      if (made && !over?.placed) await noteUnused(session, made, 'it was cancelled');
    },
    get stopped() {
      return stopped?.reason;
    },
    resume,
  };
}

/** What people have done to the context, as far as the log tells: marks, and compactions. */
function actsIn({ state }: SessionInfo): string {
  const { pinned, excluded, expanded, removed, roots } = state;
  return JSON.stringify([pinned, excluded, expanded, removed, roots.map(({ id }) => id)]);
}
