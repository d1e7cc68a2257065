import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Session } from '../session/index.ts';
import { checkTrigger, type Load } from './check-trigger.ts';
import { commitCompaction } from './commit-compaction.ts';
import {
  type CompactionResult,
  type CompactOptions,
  describeCompaction,
  draftSummary,
  mergeTiers,
  prepare,
  settingsOf,
} from './compact-session.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import type { CompactionSettings } from './presets.ts';
import type { Draft } from './summarise-range.ts';

// Nobody waits for a summary until there is no room left: from the soft mark on it is made in the background, on a
// snapshot, and put in place at the hard mark. Two tries that bring the load no lower stop it, so that a session whose
// head alone is too large does not burn money on every turn.

export interface AutoOptions extends CompactOptions {
  /** How full the context is now; asked again after each compaction. */
  readonly measure: () => Promise<Load>;
  readonly now?: () => number;
  /** At most so many tokens an hour go into summaries by a model; beyond that the digest does it. */
  readonly spendPerHour?: number;
}

export type AutoOutcome =
  | { readonly did: 'nothing' }
  | { readonly did: 'prepare' }
  | { readonly did: 'compact'; readonly result: CompactionResult }
  | { readonly did: 'stop'; readonly reason: string };

export interface AutoCompaction {
  /** Call after every turn, and before a request: prepares, compacts or does nothing. */
  consider(): Promise<AutoOutcome>;
  /** Whether a summary is being made right now. */
  readonly preparing: boolean;
  /** Gives up what is being prepared; the context stays as it is. */
  cancel(): void;
  /** Why it does not compact by itself any more, until `resume` is called. */
  readonly stopped: string | undefined;
  resume(): void;
}

const TRIES = 2;
const HOUR_MS = 3_600_000;

interface Prepared {
  readonly plan: CompactionPlan;
  readonly draft: Promise<Draft>;
  readonly abort: AbortController;
}

export function createAutoCompaction(session: Session, options: AutoOptions): AutoCompaction {
  const settings = settingsOf(options.settings ?? 'balanced');
  const now = options.now ?? Date.now;
  const spending: { at: number; tokens: number }[] = [];
  let prepared: Prepared | undefined;
  let preparing = false;
  let fruitless = 0;
  let stopped: string | undefined;
  let most = 0;

  function affordable(): CompactOptions {
    const { summariser, spendPerHour, ...given } = options;
    const rest = { summaryTokens: most, ...given };
    const recent = spending
      .filter(({ at }) => now() - at < HOUR_MS)
      .reduce((sum, { tokens }) => sum + tokens, 0);
    const free = spendPerHour === undefined || recent < spendPerHour;
    return summariser && free ? { ...rest, summariser } : rest;
  }

  async function start({ room }: Load): Promise<Prepared | undefined> {
    most = summaryTokens(settings, room);
    try {
      const { plan, before } = await prepare(session, options);
      const abort = new AbortController();
      const draft = draftSummary(plan, before, { ...affordable(), signal: abort.signal });
      preparing = true;
      // Whoever waits for the draft sees the failure; until somebody does, it must not count as unhandled.
      draft
        .catch(() => {})
        .finally(() => {
          preparing = false;
        });
      return { plan, draft, abort };
    } catch (error) {
      if (isThroughlineError(error, 'nothing-to-compact')) return undefined;
      throw error;
    }
  }

  async function swapIn({ plan, draft: pending }: Prepared): Promise<CompactionResult> {
    const draft = await pending;
    const { inputTokens = 0, outputTokens = 0 } = draft.usage ?? {};
    spending.push({ at: now(), tokens: inputTokens + outputTokens });
    const entry = await commitCompaction(session, plan, { draft });
    await mergeTiers(session, affordable());
    return describeCompaction(entry, plan, draft);
  }

  async function compact(): Promise<AutoOutcome> {
    const before = await options.measure();
    const work = prepared ?? (await start(before));
    prepared = undefined;
    // Everything is to be kept as it is. That is no failure, and changes as soon as more is said, unless a summary was made
    // and did not help.
    if (!work && fruitless === 0) return { did: 'nothing' };
    if (!work) return fail('there is nothing left that could be summarised');
    try {
      const result = await swapIn(work);
      const after = await options.measure();
      if (checkTrigger(after, settings) !== 'hard') fruitless = 0;
      else if (after.tokens > before.tokens * 0.8)
        return fail('summaries do not make it any smaller', result);
      return { did: 'compact', result };
    } catch (error) {
      if (isThroughlineError(error, 'cancelled')) throw error;
      return fail((error as Error).message);
    }
  }

  function fail(reason: string, result?: CompactionResult): AutoOutcome {
    if (++fruitless < TRIES) return result ? { did: 'compact', result } : { did: 'nothing' };
    stopped = reason;
    return { did: 'stop', reason };
  }

  return {
    async consider() {
      if (stopped !== undefined) return { did: 'nothing' };
      const load = await options.measure();
      const mark = checkTrigger(load, settings);
      if (mark === 'hard') return compact();
      // The digest takes no time worth hiding, and a summary made at the hard mark covers more.
      if (mark === 'none' || prepared || !options.summariser) return { did: 'nothing' };
      prepared = await start(load);
      return prepared ? { did: 'prepare' } : { did: 'nothing' };
    },
    get preparing() {
      return preparing;
    },
    cancel() {
      prepared?.abort.abort();
      prepared = undefined;
    },
    get stopped() {
      return stopped;
    },
    resume() {
      stopped = undefined;
      fruitless = 0;
    },
  };
}

/**
 * The torso holds up to three summaries of each level. A sixtieth of the trigger for each keeps all of them together
 * well under half of it, so that compacting frees room for messages and not for summaries.
 */
function summaryTokens({ trigger }: CompactionSettings, room: number): number {
  const limit = trigger.tokens ?? (trigger.share ?? 0.8) * room;
  return Math.min(2_000, Math.max(300, Math.floor(limit / 60)));
}

/** For callers that have to have room: `compaction-stopped` with the cause, instead of one more try. */
export function refuseStopped(session: Session, { stopped }: AutoCompaction): void {
  if (stopped === undefined) return;
  throw new ThroughlineError(
    'compaction-stopped',
    `Automatic compaction of "${session.id}" has stopped: ${stopped}. Compact by hand, exclude something, or choose a larger window.`,
    { details: { session: session.id, reason: stopped } },
  );
}
