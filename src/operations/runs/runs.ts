import {
  findSteered,
  inputOf,
  orderWaiting,
  type PreparedTurn,
  type Recovery,
  readInput,
  recoverTurn,
  refuseRetry,
  type Steered,
  steerTurn,
  type TurnEvent,
  type TurnInput,
  type Turns,
  turnNotRunning,
} from '../../agent/index.ts';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import type { EntryId, SessionId } from '../../record/index.ts';
import { getSession, type Session } from '../../session/index.ts';
import { isOvertaken, type OpenSessions, type UseOptions } from '../open-sessions.ts';
import { refuseElsewhere } from './ai-sessions.ts';
import { createApprovals, type Verdict } from './approvals.ts';
import type { LiveEvent } from './live-event.ts';
import { toLiveEvent, toTurnError } from './to-live-event.ts';

// Turns belong to the server: they go on when every client is gone, and any number of clients may look on.

export interface LiveNote {
  readonly sessionId: SessionId;
  /** The message that is answered. */
  readonly turn: string;
  readonly index: number;
  readonly event: LiveEvent;
}

interface Stored {
  readonly messageId: string;
  readonly waiting: boolean;
  /** Whose answer it is, and why another model or the agent of the session does not answer. */
  readonly prepared: PreparedTurn;
  /** Resolves once the turn has ended, however it did, or this process does. */
  readonly over: Promise<void>;
}

export interface Runs {
  /** Says something. Resolves once it is stored; listeners get its events. */
  start(id: SessionId, input: TurnInput, open: OpenTurns, options?: UseOptions): Promise<Stored>;
  /**
   * Continues the interrupted turn, then the queue. `undefined` if there is nothing. With `turn` it has to be that turn, and
   * one that can be asked again.
   */
  goOn(
    id: SessionId,
    open: OpenTurns,
    options?: UseOptions & { readonly turn?: EntryId },
  ): Promise<Stored | undefined>;
  /** Hands a message in to the running turn; `turn-not-running` if there is none in this process. */
  steer(id: SessionId, input: TurnInput, options?: { readonly turn?: EntryId }): Promise<Steered>;
  isRunning(id: SessionId): boolean;
  /** Stops the running turn, or all of them, and says how many. One that another process runs is `lease-held`. */
  cancel(id: SessionId, options: { all: boolean }): Promise<number>;
  listen(id: SessionId, listener: (note: LiveNote) => void): () => void;
  /** What a newcomer missed of the answer that is being written; empty while there is none of it. */
  soFar(id: SessionId): LiveNote | undefined;
  /** Tools that wait for an approval. */
  questions(id: SessionId): LiveNote[];
  /** Says so. False if that is asked no longer. */
  answer(id: SessionId, toolCallId: string, verdict: Verdict): boolean;
  /** Once no turn is running. */
  settled(): Promise<void>;
  /** The process ends: running turns are left to be gone on with, and those that wait stay in the queue. */
  stop(): Promise<void>;
}

/** The longest wait of a tool for an approval. */
export const APPROVAL_MS = 5 * 60_000;

/** The turns of a call. They are prepared before anything is stored, so a preparation that fails is an error of the call. */
type OpenTurns = (session: Session) => Turns;

interface Ready {
  readonly runner: Turns;
  readonly prepared: PreparedTurn;
}

interface Turn {
  readonly session: SessionId;
  readonly controller: AbortController;
  readonly stored: PromiseWithResolvers<Stored>;
  readonly prepared: PreparedTurn;
  id: string | undefined;
  index: number;
  text: string;
  reasoning: string;
  /** It said so: it only has to leave the line. */
  over: boolean;
  done: Promise<void>;
}

export function createRuns(
  sessions: OpenSessions,
  {
    onFailure = () => {},
    approvalMs = APPROVAL_MS,
  }: { onFailure?: (error: unknown, session: SessionId) => void; approvalMs?: number } = {},
): Runs {
  const approvals = createApprovals({ waitMs: approvalMs });
  const turns = new Map<SessionId, Turn[]>();
  const listeners = new Map<SessionId, Set<(note: LiveNote) => void>>();
  const busy = new Set<Promise<unknown>>();
  const shutdown = new AbortController();

  function publish(turn: Turn, event: LiveEvent): LiveNote | undefined {
    if (turn.id === undefined) return undefined;
    turn.over ||= event.type === 'turn-end' || event.type === 'turn-error';
    const note = { sessionId: turn.session, turn: turn.id, index: ++turn.index, event };
    for (const listener of listeners.get(turn.session) ?? []) listener(note);
    return note;
  }

  function hear(turn: Turn, event: TurnEvent): void {
    if (event.type === 'input-stored') {
      turn.id = event.id;
      const { prepared, done: over } = turn;
      turn.stored.resolve({ messageId: event.id, waiting: event.waiting, prepared, over });
    }
    if (event.type === 'request-start' || event.type === 'answer-end') [turn.text, turn.reasoning] = ['', ''];
    if (event.type === 'text-delta') turn.text += event.text;
    if (event.type === 'reasoning-delta') turn.reasoning += event.text;
    publish(turn, toLiveEvent(event));
  }

  function begin(input: TurnInput, { runner, prepared }: Ready): Turn {
    const { session } = runner;
    const controller = new AbortController();
    const stored = Promise.withResolvers<Stored>();
    const turn: Turn = {
      session: session.id,
      controller,
      stored,
      prepared,
      id: undefined,
      index: 0,
      text: '',
      reasoning: '',
      over: false,
      done: Promise.resolve(),
    };
    const all = turns.get(session.id) ?? [];
    turns.set(session.id, [...all, turn]);
    const tell = (event: LiveEvent) => publish(turn, event);
    turn.done = runner
      .send(input, {
        prepared,
        signal: controller.signal,
        shutdown: shutdown.signal,
        onEvent: (event) => hear(turn, event),
        approve: (request, { signal }) => approvals.ask(session.id, request, { signal, tell }),
      })
      .then(
        () => {},
        (error: unknown) => {
          if (isOvertaken(error)) sessions.forget(session.id, session);
          if (turn.id === undefined) return stored.reject(error);
          // It waits for the next process: nothing has ended.
          if (shutdown.signal.aborted && isThroughlineError(error, 'cancelled')) return;
          publish(turn, toTurnError(error));
          onFailure(error, turn.session);
        },
      )
      .finally(() => {
        const rest = turns.get(session.id)!.filter((other) => other !== turn);
        if (rest.length === 0) turns.delete(session.id);
        else turns.set(session.id, rest);
      });
    return turn;
  }

  /** Enters the line in order: what waits since before comes first. */
  function launch<T>(
    id: SessionId,
    open: OpenTurns,
    plan: (session: Session, ready: Ready) => Promise<{ all: Turn[]; answer: Promise<T> }>,
    waiting?: UseOptions,
  ): Promise<T> {
    const answer = Promise.withResolvers<T>();
    const work = async (session: Session) => {
      const runner = open(session);
      const planned = await plan(session, { runner, prepared: await runner.prepare() });
      answer.resolve(planned.answer);
      await Promise.all(planned.all.map(({ done }) => done));
    };
    const whole = sessions.use(id, work, waiting);
    const tracked = whole.catch(answer.reject).finally(() => busy.delete(tracked));
    busy.add(tracked);
    return answer.promise;
  }

  return {
    start(id, input, open, patience) {
      const plan = async (session: Session, ready: Ready) => {
        const recovery = turns.has(id) || !hasWaiting(session) ? undefined : await recover(session);
        // Another call may have begun them since. From here on nothing is awaited: all enter the line in this order.
        const waiting = turns.has(id) ? [] : (recovery?.waiting ?? []);
        const { before, after } = orderWaiting({ ...recovery, waiting }, input);
        const all = [...before, input, ...after].map((one) => begin(one, ready));
        for (const { stored } of all) stored.promise.catch(() => {});
        return { all, answer: all[before.length]!.stored.promise };
      };
      return launch(id, open, plan, patience);
    },
    goOn(id, open, { turn, ...patience } = {}) {
      const plan = async (session: Session, ready: Ready) => {
        if (turns.has(id) && turn !== undefined) throw alreadyRunning(id);
        if (turns.has(id)) return { all: [], answer: Promise.resolve(undefined) };
        const { unfinished, waiting } = await recover(session);
        if (turn !== undefined) await refuseRetry(session, turn);
        // All enter the line at once, so nothing may be read between the first and those that wait behind it.
        const first = unfinished ? [await inputOf(session, unfinished)] : [];
        // Another call may have been faster.
        if (turns.has(id) && turn !== undefined) throw alreadyRunning(id);
        if (turns.has(id)) return { all: [], answer: Promise.resolve(undefined) };
        const all = [...first, ...waiting].map((input) => begin(input, ready));
        for (const { stored } of all) stored.promise.catch(() => {});
        return { all, answer: all[0]?.stored.promise ?? Promise.resolve(undefined) };
      };
      return launch<Stored | undefined>(id, open, plan, patience);
    },
    async steer(id, input, options) {
      if (turns.has(id)) return sessions.use(id, (session) => steerTurn(session, input, options));
      const before = await findSteered(
        sessions.store,
        await getSession(sessions.store, id),
        readInput(input),
      );
      if (before) return before;
      await refuseElsewhere(sessions.store, id);
      throw turnNotRunning(id, options?.turn);
    },
    isRunning: (id) => turns.has(id),
    async cancel(id, { all }) {
      const found = turns.get(id) ?? [];
      if (found.length === 0) await refuseElsewhere(sessions.store, id);
      const stopped = (all ? found : found.slice(0, 1)).filter(
        ({ controller }) => !controller.signal.aborted,
      );
      for (const { controller } of stopped) controller.abort();
      return stopped.length;
    },
    listen(id, listener) {
      const known = listeners.get(id) ?? new Set();
      listeners.set(id, known.add(listener));
      return () => {
        known.delete(listener);
        if (known.size === 0 && listeners.get(id) === known) listeners.delete(id);
      };
    },
    soFar(id) {
      const turn = turns.get(id)?.[0];
      if (turn?.id === undefined || turn.over) return undefined;
      const { text, reasoning, index } = turn;
      return { sessionId: id, turn: turn.id, index, event: { type: 'answer-so-far', text, reasoning } };
    },
    questions: (id) => approvals.open(id),
    answer: (id, toolCallId, verdict) => approvals.answer(id, toolCallId, verdict),
    async settled() {
      while (busy.size > 0) await Promise.all(busy);
    },
    async stop() {
      shutdown.abort();
      while (busy.size > 0) await Promise.all(busy);
    },
  };
}

function alreadyRunning(session: SessionId): ThroughlineError {
  const words = `A turn is running in session "${session}". Wait for it, or stop it.`;
  return new ThroughlineError('usage', words, { details: { session } });
}

/** Inputs that an earlier process accepted and did not begin. */
function hasWaiting({ info }: Session): boolean {
  const { waiting = [] } = info.state.settings;
  return waiting.length > 0;
}

async function recover(session: Session): Promise<Recovery> {
  const recovery = await recoverTurn(session);
  // It leaves its place in the line a moment after it is done; a message in that moment would be stored as waiting.
  await new Promise((go) => setImmediate(go));
  return recovery;
}
