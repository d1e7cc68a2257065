import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { CompactionSettings, Entry, SessionInfo, Usage } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { commitCompaction } from './commit-compaction.ts';
import {
  type CompactionResult,
  type CompactOptions,
  describeCompaction,
  draftSummary,
  mergeTiers,
  prepare,
} from './compact-session.ts';
import { createModelLeave } from './model-leave.ts';
import { noteUnused, notingUnused } from './note-unused.ts';
import type { Fit } from './oldest-run.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { checkTrigger, type Load, settingsFor } from './read-policy.ts';
import { type Draft, throwIfCancelled } from './summarise-range.ts';

// Nobody waits for a summary until there is no room left: from the soft mark on it is made in the background, on a
// snapshot, and put in place at the hard mark. Two tries that bring the load no lower stop it until a person acts (marks or
// compacts something), so that a session whose head alone is too large does not burn money on every turn.

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
  | { readonly did: 'compact'; readonly result: CompactionResult }
  /** With the compaction that gained too little, if one was made just now. */
  | { readonly did: 'stop'; readonly reason: string; readonly result?: CompactionResult };

export interface AutoCompaction {
  /**
   * Call after every turn, and before a request: prepares, compacts or does nothing. Whoever does not want to wait aborts
   * the signal: nothing is done then, and what is being written is used the next time.
   */
  consider(options?: { readonly signal?: AbortSignal }): Promise<AutoOutcome>;
  /** Whether a summary is being made right now. */
  readonly preparing: boolean;
  /** Gives up what is being made, also at the hard mark; the context stays as it is. Resolves when it is over. */
  cancel(): Promise<void>;
  /** Why it does not compact by itself any more, until a person acts or `resume` is called. */
  readonly stopped: string | undefined;
  resume(): void;
}

const TRIES = 2;
/** Notes of the log that are looked through for what summaries have cost in the last hour. */
const MOST_COUNTED = 500;

interface Prepared {
  readonly plan: CompactionPlan;
  readonly draft: Promise<Draft>;
  readonly abort: AbortController;
  /** It is being put in place: what it cost will be said there. */
  placed: boolean;
}

export function createAutoCompaction(session: Session, options: AutoOptions): AutoCompaction {
  const { measure, now = Date.now, spendPerHour, summariser, ...given } = options;
  const settings = settingsFor(session.info.state, given.settings);
  const leave = createModelLeave({ spendPerHour, now });
  /** What is being made, or waits to be put in place. */
  let work: Prepared | undefined;
  let preparing = 0;
  let fruitless = 0;
  let stopped: string | undefined;
  let most = 0;
  let known: string | undefined;
  let counted = false;

  /** As things stand: a model that may not be asked is left out, and that is told. */
  function optionsNow(signals: readonly (AbortSignal | undefined)[]): CompactOptions {
    const waited = [given.signal, ...signals].filter((signal) => signal !== undefined);
    const all = {
      summaryTokens: most,
      ...given,
      settings,
      onUsage: leave.spend,
      signal: AbortSignal.any(waited),
    };
    const { refusal } = leave;
    if (!summariser || refusal === undefined) return { ...all, ...(summariser && { summariser }) };
    const { withoutModel, name } = summariser;
    return {
      ...all,
      unasked: { by: name, reason: refusal },
      ...(withoutModel && { summariser: withoutModel }),
    };
  }

  function judge(draft: Draft, chosen: CompactOptions): void {
    if (summariser && chosen.summariser === summariser) leave.judge(draft);
  }

  async function start(load: Load): Promise<Prepared | undefined> {
    most = summaryTokens(settings, load.room);
    try {
      const prepared = await prepare(session, { ...given, settings }, { fit: fitOf(load, settings) });
      const abort = new AbortController();
      const chosen = optionsNow([abort.signal]);
      const draft = notingUnused(session, chosen, (onUsage) =>
        draftSummary(prepared.plan, prepared, { ...chosen, onUsage }),
      );
      preparing++;
      // Whoever waits for the draft sees the failure; until somebody does, it must not count as unhandled.
      draft
        .then(
          (made) => judge(made, chosen),
          () => {},
        )
        .finally(() => preparing--);
      return { plan: prepared.plan, draft, abort, placed: false };
    } catch (error) {
      if (isThroughlineError(error, 'nothing-to-compact')) return undefined;
      throw error;
    }
  }

  async function swapIn(prepared: Prepared, signal?: AbortSignal): Promise<CompactionResult> {
    const { plan, abort } = prepared;
    const draft = await unlessAborted(prepared.draft, signal);
    throwIfCancelled(abort.signal);
    prepared.placed = true;
    const entry = await commitCompaction(session, plan, { draft }).catch(async (error: unknown) => {
      await noteUnused(session, draft, (error as Error).message);
      throw error;
    });
    const merged = await mergeTiers(session, () => optionsNow([abort.signal, signal]), judge);
    return { ...describeCompaction(entry, plan, draft), ...merged };
  }

  /** `undefined` if somebody compacted or marked something in the range meanwhile. */
  async function compact(before: Load, signal?: AbortSignal): Promise<AutoOutcome | undefined> {
    work ??= await start(before);
    // Everything is to be kept as it is. That is no failure, and changes as soon as more is said, unless a summary was made
    // and did not help.
    if (!work && fruitless === 0) return { did: 'nothing' };
    if (!work) return fail('there is nothing left that could be summarised');
    const current = work;
    try {
      const result = await swapIn(current, signal);
      forget(current);
      known = actsIn(await session.refresh());
      const after = await measure();
      if (checkTrigger(after, settings) !== 'hard') fruitless = 0;
      else if (after.tokens > before.tokens * 0.8)
        return fail('summaries do not make it any smaller', result);
      return { did: 'compact', result };
    } catch (error) {
      // Who only does not want to wait leaves what is being made to the next one who asks.
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

  function fail(reason: string, result?: CompactionResult): AutoOutcome {
    if (++fruitless < TRIES) return result ? { did: 'compact', result } : { did: 'nothing' };
    stopped = reason;
    return { did: 'stop', reason, ...(result && { result }) };
  }

  function resume(): void {
    stopped = undefined;
    fruitless = 0;
    leave.forgive();
  }

  /** Whoever begins anew has not forgotten what summaries have cost already: the log tells. */
  async function countEarlier(): Promise<void> {
    if (counted || spendPerHour === undefined) return;
    counted = true;
    const notes = { only: 'notes', order: 'newest-first', limit: MOST_COUNTED } as const;
    for (const { at, body } of await session.read(notes)) {
      if (body.kind === 'message') continue;
      const { usage, meta } = body as { usage?: Usage; meta?: { usage?: Usage } };
      const paid = usage ?? meta?.usage;
      if (paid) leave.spend(paid, at);
    }
  }

  /** What a person did to the context since the last time, here or in another process, is a reason to try again. */
  async function noticeActs(): Promise<void> {
    const acts = actsIn(await session.refresh());
    if (known !== undefined && acts !== known) resume();
    known = acts;
  }

  return {
    async consider({ signal } = {}) {
      await countEarlier();
      await noticeActs();
      if (stopped !== undefined) return { did: 'nothing' };
      const load = await measure();
      const mark = checkTrigger(load, settings);
      if (mark === 'hard') {
        // What was prepared may be about something that is no longer there; there is still no room.
        const outcome = (await compact(load, signal)) ?? (await compact(load, signal));
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
      return stopped;
    },
    resume,
  };
}

/**
 * Whether a session that is this full would be compacted: its policy says so, and there is something to summarise. `ahead`
 * are entries that would come first and are in no log yet.
 */
export async function wouldCompact(
  session: Session,
  { load, settings, ahead }: { load: Load; settings: CompactionSettings; ahead: readonly Entry[] },
): Promise<boolean> {
  if (checkTrigger(load, settings) !== 'hard') return false;
  try {
    await prepare(session, { settings }, { fit: fitOf(load, settings), ahead });
    return true;
  } catch (error) {
    if (isThroughlineError(error, 'nothing-to-compact')) return false;
    throw error;
  }
}

/** What people have done to the context, as far as the log tells: marks, and compactions. */
function actsIn({ state }: SessionInfo): string {
  const { pinned, excluded, expanded, removed, roots } = state;
  return JSON.stringify([pinned, excluded, expanded, removed, roots.map(({ id }) => id)]);
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfCancelled(signal);
  if (!signal) return work;
  const over = Promise.withResolvers<never>();
  const give = () =>
    over.reject(new ThroughlineError('cancelled', 'Nobody waits for the compaction any more.'));
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

/**
 * The torso holds up to three summaries of each level. A sixtieth of the trigger for each keeps all of them together
 * well under half of it, so that compacting frees room for messages and not for summaries.
 */
function summaryTokens(settings: CompactionSettings, room: number): number {
  return Math.min(2_000, Math.max(300, Math.floor(triggerTokens(settings, room) / 60)));
}

function triggerTokens({ trigger }: CompactionSettings, room: number): number {
  return trigger.tokens ?? (trigger.share ?? 0.8) * room;
}

/** What the conversation may take of the room, in the tokens that entries are counted in. */
function fitOf(
  { room, fixed, scale = 1 }: Load,
  settings: CompactionSettings,
): (Fit & { readonly summary: number }) | undefined {
  if (fixed === undefined) return undefined;
  const free = (tokens: number) => Math.max(0, Math.floor((tokens - fixed) / scale));
  const trigger = Math.min(room, triggerTokens(settings, room));
  return { room: free(room), trigger: free(trigger), summary: summaryTokens(settings, room) };
}
