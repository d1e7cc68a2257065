import {
  type AutoCompaction,
  type AutoOutcome,
  checkTrigger,
  compactSession,
  createAutoCompaction,
  createModelSummariser,
  type Load,
  PRESETS,
  readPolicy,
  type Summariser,
  settingsOf,
} from '../compaction/index.ts';
import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import type { ChosenModel } from '../models/index.ts';
import type { CompactionSettings, SessionInfo } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { Stopped, stoppable } from './tools/stoppable.ts';
import type { TurnEvent } from './turn-event.ts';
import type { CompactionChoice, TurnOptions } from './turn-options.ts';
import type { Work } from './work-of.ts';

/** Keeps the context from filling up: prepares a summary while there is still room, and puts it in place in time. */
export interface RoomKeeper {
  /** Before a request. Waits only if there is no room left. */
  before(load: Load): Promise<void>;
  /** After a turn. Waits for nothing. */
  after(): void;
  /** The provider says that the request was too long, whatever was counted. Gives the window to go by in this turn. */
  makeRoom(overflow: ThroughlineError, sent: { tokens: number; window: number }): Promise<number>;
}

export function createRoomKeeper(
  session: Session,
  work: Work,
  {
    model,
    choice,
    timeoutMs,
    measure,
    signal,
    emit,
  }: {
    model: ChosenModel;
    choice: TurnOptions['compaction'];
    timeoutMs: number | undefined;
    measure: () => Promise<Load>;
    signal: AbortSignal;
    emit: (event: TurnEvent) => void;
  },
): RoomKeeper {
  const policy = policyOf(session.info, choice);
  const chosen = choice === false ? undefined : (choice ?? {});
  const settings = policy === false ? PRESETS.balanced : policy;
  const auto =
    chosen && policy !== false && autoOf(session, work, { model, chosen, policy, timeoutMs, measure });

  let said = false;

  return {
    async before(load) {
      if (!auto) return;
      const full = checkTrigger(load, settings) === 'hard';
      const { stopped } = auto;
      if (full && stopped === undefined) emit({ type: 'compaction-start' });
      const considered = Promise.resolve(work.background).then(() => auto.consider({ signal }));
      const outcome = await stoppable(considered, signal).catch((error): AutoOutcome => {
        // Somebody who does not want to wait ends the turn; what is being written is used in the next.
        if (!(error instanceof Stopped) && !isThroughlineError(error, 'cancelled')) throw error;
        return { did: 'nothing' };
      });
      // As long as it is full and nothing is done about it, every turn says why, once.
      if (full && auto.stopped !== undefined && auto.stopped === stopped) {
        if (!said) emit({ type: 'compaction-end', outcome: { did: 'stop', reason: stopped } });
        said = true;
      } else if (full || outcome.did !== 'nothing') emit({ type: 'compaction-end', outcome });
    },
    after() {
      // Who stopped the turn did not want to wait for a summary: nothing changes behind their back.
      if (!auto || signal.aborted) return;
      const considered = Promise.resolve(work.background).then(() => auto.consider());
      work.background = considered.then(
        (outcome) => {
          if (outcome.did !== 'nothing') emit({ type: 'compaction-end', outcome });
        },
        () => {},
      );
    },
    async makeRoom({ details }, { tokens, window }) {
      emit({ type: 'compaction-start' });
      const summariser = chosen && summariserOf(chosen, { model, timeoutMs });
      try {
        const result = await compactSession(session, {
          settings: { ...settings, keep: { tokens: Math.floor(tokens / 4) } },
          signal,
          ...(summariser && { summariser }),
        });
        emit({ type: 'compaction-end', outcome: { did: 'compact', result } });
      } catch (error) {
        // With nothing to summarise, the smaller window still lets the ladder do what it can.
        if (!HARMLESS.some((code) => isThroughlineError(error, code))) throw error;
        emit({ type: 'compaction-end', outcome: { did: 'nothing' } });
      }
      return realWindow(details, { sent: tokens, window });
    },
  };
}

const HARMLESS = ['nothing-to-compact', 'summary-rejected', 'compaction-stale', 'cancelled'] as const;

/** Smaller than any model that can do this. */
const LEAST_WINDOW = 4_000;

/**
 * The window as it turned out to be, in our own counting. Providers tell their limit and what they counted, or by how
 * much it was too long, or nothing; without numbers a quarter less is tried.
 */
function realWindow(
  { limit, tokens, over }: Readonly<Record<string, unknown>>,
  { sent, window }: { sent: number; window: number },
): number {
  const told = typeof limit === 'number' ? Math.min(limit, window) : window;
  const counted = typeof tokens === 'number' && tokens > sent ? tokens : sent;
  const found =
    typeof over === 'number'
      ? sent - over
      : told < window || counted > sent
        ? (told * sent) / counted
        : Math.min(window, sent) * 0.75;
  return Math.max(LEAST_WINDOW, Math.floor(found));
}

/** One for each session and model, so that what it prepares in one turn can be put in place in the next. */
function autoOf(
  session: Session,
  work: Work,
  {
    model,
    chosen,
    policy,
    timeoutMs,
    measure,
  }: {
    model: ChosenModel;
    chosen: CompactionChoice;
    policy: CompactionSettings;
    timeoutMs: number | undefined;
    measure: () => Promise<Load>;
  },
): AutoCompaction {
  const key = JSON.stringify([model.id, policy, chosen.spendPerHour, nameOf(chosen.summariser), timeoutMs]);
  work.measure = measure;
  if (work.compaction?.key === key) return work.compaction.auto;
  void work.compaction?.auto.cancel();
  const stop = new AbortController();
  const summariser = summariserOf(chosen, { model, timeoutMs });
  const auto = createAutoCompaction(session, {
    measure: () => work.measure!(),
    settings: policy,
    ...(chosen.spendPerHour !== undefined && { spendPerHour: chosen.spendPerHour }),
    ...(summariser && { summariser: endingWith(summariser, stop.signal) }),
  });
  work.compaction = { key, auto, stop };
  return auto;
}

function summariserOf(
  { summariser }: CompactionChoice,
  { model, timeoutMs }: { model: ChosenModel; timeoutMs: number | undefined },
): Summariser | undefined {
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  if (summariser === 'digest') return undefined;
  if (typeof summariser === 'string') return createModelSummariser(summariser, options);
  if (summariser !== undefined) return summariser;
  const { opened } = model;
  // A model that cannot be opened here writes no summary: the digest does.
  return opened === undefined || opened.provider === 'offline'
    ? undefined
    : createModelSummariser(opened, options);
}

const nameOf = (summariser: CompactionChoice['summariser']) =>
  typeof summariser === 'object' ? summariser.name : summariser;

/** The summariser, until somebody closes the session: then it is given up, and the digest does it at once. */
function endingWith(summariser: Summariser, stop: AbortSignal): Summariser {
  const { name, timeoutMs, withoutModel } = summariser;
  return {
    name,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(withoutModel && { withoutModel }),
    summarise(request, options) {
      const either = AbortSignal.any([options.signal, stop]);
      return stoppable(summariser.summarise(request, { ...options, signal: either }), either);
    },
  };
}

/** When and how a turn compacts: as its options say, and else as the session's own policy says. */
export function policyOf(
  { state }: Pick<SessionInfo, 'state'>,
  choice: TurnOptions['compaction'],
): CompactionSettings | false {
  if (choice === false) return false;
  return choice?.settings === undefined ? readPolicy(state) : settingsOf(choice.settings);
}
