import {
  type AskInChat,
  type AutoCompaction,
  type AutoOutcome,
  asksFirst,
  createAutoCompaction,
  createDraftKeeper,
  createModelSummariser,
  type Load,
  policyOf,
  type Summariser,
  withInstructions,
} from '../compaction/index.ts';
import { isThroughlineError } from '../errors.ts';
import type { ChosenModel } from '../models/index.ts';
import type { CompactionReason, CompactionSettings } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { learntWindow } from './request/build-request.ts';
import { askInChat, type ChatToAsk } from './summary/ask-in-chat.ts';
import type { TurnEvent } from './turn-event.ts';
import type { CompactionChoice, TurnOptions } from './turn-options.ts';
import { Stopped, stoppableTurn, type TurnQueue } from './turn-queue.ts';

/** Keeps the context from filling up: prepares a summary while there is still room, and puts it in place in time. */
export interface TurnCompactor {
  /** Before a request. Waits only if there is no room left. */
  before(): Promise<void>;
  /** After a turn. Waits for nothing. */
  after(): void;
}

export function createTurnCompactor(
  session: Session,
  work: TurnQueue,
  {
    model,
    window,
    choice,
    agent,
    timeoutMs,
    chat,
    measure,
    signal,
    emit,
  }: {
    model: ChosenModel;
    /** The window that was declared for the model, if it is another than its own. */
    window: number | undefined;
    choice: TurnOptions['compaction'];
    agent: TurnOptions['agent'];
    timeoutMs: number | undefined;
    /** How the turn asks the model beside its context. */
    chat?: Omit<ChatToAsk, 'store' | 'info' | 'model'>;
    measure: () => Promise<Load>;
    signal: AbortSignal;
    emit: (event: TurnEvent) => void;
  },
): TurnCompactor {
  const policy = policyOf(session.info, choice);
  const chosen = choice === false ? undefined : (choice ?? {});
  const auto =
    chosen &&
    policy !== false &&
    autoOf(session, work, {
      model: withWindow(session, model, window),
      chosen,
      policy,
      asks: asksFirst(session.info, choice),
      wish: agent?.summaryInstructions,
      timeoutMs,
      chat,
      measure,
    });

  return {
    async before() {
      if (!auto) return;
      let started = false;
      const onCompact = (why: CompactionReason) => {
        started = true;
        emit({ type: 'compaction-start', why });
      };
      const considered = Promise.resolve(work.background).then(() => auto.consider({ signal, onCompact }));
      const outcome = await stoppableTurn(considered, signal).catch((error): AutoOutcome => {
        // A person who does not want to wait ends the turn; the summary that is being written is used in the next.
        if (!(error instanceof Stopped) && !isThroughlineError(error, 'cancelled')) throw error;
        return { did: 'nothing' };
      });
      if (started || outcome.did !== 'nothing') emit({ type: 'compaction-end', outcome });
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
  };
}

/** One for each session and model, so that what it prepares in one turn can be put in place in the next. */
function autoOf(
  session: Session,
  work: TurnQueue,
  {
    model,
    chosen,
    policy,
    asks,
    wish,
    timeoutMs,
    chat = {},
    measure,
  }: {
    model: ChosenModel;
    chosen: CompactionChoice;
    policy: CompactionSettings;
    asks: boolean;
    wish: string | undefined;
    timeoutMs: number | undefined;
    chat: Omit<ChatToAsk, 'store' | 'info' | 'model'> | undefined;
    measure: () => Promise<Load>;
  },
): AutoCompaction {
  const window = model.opened?.limits.window;
  const key = JSON.stringify([
    model.id,
    window,
    policy,
    asks,
    chosen.spendPerHour,
    nameOf(chosen.summariser),
    wish,
    timeoutMs,
  ]);
  work.measure = measure;
  const { opened } = model;
  if (opened) {
    const around = { store: session.store, info: () => session.refresh(), model: opened };
    work.chat = () => ({ ...chat, ...around });
  }
  if (work.compaction?.key === key) return work.compaction.auto;
  void work.compaction?.auto.cancel();
  const stop = new AbortController();
  const summariser = summariserOf(chosen, {
    model,
    timeoutMs,
    inChat: askInChat(() => work.chat!()),
  });
  const create = asks ? createDraftKeeper : createAutoCompaction;
  const auto = create(session, {
    measure: () => work.measure!(),
    settings: policy,
    ...(chosen.spendPerHour !== undefined && { spendPerHour: chosen.spendPerHour }),
    ...(summariser && { summariser: endingWith(withInstructions(summariser, wish), stop.signal) }),
  });
  work.compaction = { key, auto, stop };
  return auto;
}

/** The model with the window that it has for this session: summaries are written within it too. */
function withWindow({ info }: Session, model: ChosenModel, declared = model.limits.window): ChosenModel {
  const { opened } = model;
  const window = learntWindow(info, model.id, declared)?.window ?? declared;
  if (!opened || opened.limits.window <= window) return model;
  return { ...model, opened: { ...opened, limits: { ...opened.limits, window } } };
}

function summariserOf(
  { summariser }: CompactionChoice,
  { model, timeoutMs, inChat }: { model: ChosenModel; timeoutMs: number | undefined; inChat: AskInChat },
): Summariser | undefined {
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  if (summariser === 'digest') return undefined;
  if (typeof summariser === 'string') return createModelSummariser(summariser, options);
  if (summariser !== undefined) return summariser;
  const { opened } = model;
  // A model that cannot be opened here writes no summary: the digest does.
  return opened === undefined || opened.provider === 'offline'
    ? undefined
    : createModelSummariser(opened, { ...options, inChat });
}

const nameOf = (summariser: CompactionChoice['summariser']) =>
  typeof summariser === 'object' ? summariser.name : summariser;

/** The summariser, until the session is closed: then it is given up, and the digest does it at once. */
function endingWith(summariser: Summariser, stop: AbortSignal): Summariser {
  const { name, timeoutMs, withoutModel } = summariser;
  return {
    name,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(withoutModel && { withoutModel }),
    summarise(request, options) {
      const either = AbortSignal.any([options.signal, stop]);
      return stoppableTurn(summariser.summarise(request, { ...options, signal: either }), either);
    },
  };
}
