import type { ChosenModel } from '../models/index.ts';
import type { EntryId, SessionInfo } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { TurnInput } from './accept-input.ts';
import { type ContextForOptions, contextFor, isWhatIf, type SessionContext } from './context-for.ts';
import { continueTurn } from './continue-turn.ts';
import { makeReady, type NextRequest } from './next-request.ts';
import { type AgentOptions, type PreparedTurn, type PrepareOptions, prepareTurn } from './prepare-turn.ts';
import type { Elsewhere } from './request/build-request.ts';
import { runTurn } from './run-turn.ts';
import type { TurnEvent, TurnResult } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';
import { retryTurn } from './turns/retry-turn.ts';
import { type Steered, steerTurn } from './turns/steer-turn.ts';

/** The model that an agent is opened with. */
export interface NamedModel {
  /** It is asked for until the session is set to another one, by whichever process: the newest choice counts. */
  asked(info: SessionInfo): AgentOptions['model'];
  /** Sets the session to it, once. A model that is handed over as an object has no name to keep. */
  remember(): Promise<void>;
}

export interface TurnsOptions
  extends AgentOptions,
    Pick<TurnOptions, 'approve'>,
    Pick<PrepareOptions, 'knowledge' | 'agentSdk' | 'onAgentProblem'> {
  /** Builds the requests of `context` and `ready` in another thread. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Called with the model of every turn that is sent without a model. */
  readonly onChosen?: (model: ChosenModel) => void;
  /** In the place of `model`, where the session is to remember it. */
  readonly named?: NamedModel;
}

/** What belongs to one turn. */
export type SendOptions = Pick<TurnOptions, 'signal' | 'shutdown' | 'onEvent' | 'approve'> &
  Pick<AgentOptions, 'model'> & {
    /** From `prepare`: the message enters the queue at once, and its preparation is not repeated. */
    readonly prepared?: PreparedTurn;
  };

/** The turns of a session: each is prepared as it is sent, by the same choices. */
export interface Turns {
  readonly session: Session;
  /** Messages run in the order in which they are sent. */
  send(input: TurnInput, options?: SendOptions): Promise<TurnResult>;
  stream(
    input: TurnInput,
    options?: Omit<SendOptions, 'onEvent'>,
  ): AsyncGenerator<TurnEvent, TurnResult, void>;
  /** Goes on with the newest turn if it has no whole answer; gives its result if it has one. */
  continue(options?: SendOptions): Promise<TurnResult>;
  /** Asks again for the newest turn, which has to be without a whole answer. */
  retry(options?: SendOptions & { readonly turn?: EntryId }): Promise<TurnResult>;
  /** Hands a message in to the running turn. */
  steer(input: TurnInput, options?: { readonly turn?: EntryId }): Promise<Steered>;
  /** Decides everything that the next turn is run with. Nothing is stored, so a model that cannot be used is known before. */
  prepare(options?: Pick<AgentOptions, 'model'>): Promise<PreparedTurn>;
  /** The request of the next turn, or the one of an earlier entry. */
  context(options?: Pick<ContextForOptions, 'question' | 'id' | 'at' | 'model'>): Promise<SessionContext>;
  /** Compacts the session as its next turn would before it asks, if its policy says so, and gives the request after that. */
  ready(): Promise<NextRequest & { readonly compactionId?: string }>;
}

/**
 * The one place where turns get their options: `openAgent` adds recovery and its lifetime, a server that shares a session's
 * handle between calls uses this.
 */
export function createTurns(session: Session, options: TurnsOptions): Turns {
  const { approve, elsewhere, onChosen, model: standing, named, ...choices } = options;
  const { onAgentProblem: _, ...announced } = choices;
  let line: Promise<unknown> = Promise.resolve();

  // Another process, or a call past this handle, may have changed the settings since.
  async function latest(model: AgentOptions['model']): Promise<[SessionInfo, AgentOptions['model']]> {
    const info = await session.refresh();
    return [info, model ?? (named ? named.asked(info) : standing)];
  }

  const prepare: Turns['prepare'] = async ({ model: asked } = {}) => {
    const [info, model] = await latest(asked);
    return { ...(await prepareTurn(info, { ...choices, model })), asked };
  };

  /** Preparations end in the order of the calls, so that messages enter the queue in that order. */
  function inLine(model: AgentOptions['model']): Promise<PreparedTurn> {
    const prepared = line.then(async () => {
      const turn = await prepare({ model });
      if (model === undefined) await named?.remember();
      return turn;
    });
    line = prepared.then(
      ({ chosen }) => model === undefined && onChosen?.(chosen),
      () => {},
    );
    return prepared;
  }

  function run<T>(how: SendOptions, turn: (options: TurnOptions) => T): T | Promise<T> {
    const { prepared, model = prepared?.asked, ...forTurn } = how;
    const withOwn = ({ options: decided }: PreparedTurn): TurnOptions => ({
      ...decided,
      ...(approve && { approve }),
      ...forTurn,
    });
    const refresh = async () => {
      const again = await prepare({ model });
      if (model === undefined) onChosen?.(again.chosen);
      return withOwn(again);
    };
    const start = (first: PreparedTurn) => turn({ ...withOwn(first), refresh });
    return prepared ? start(prepared) : inLine(model).then(start);
  }

  return {
    session,
    prepare,
    send: async (input, how = {}) => run(how, (turn) => runTurn(session, input, turn)),
    async *stream(input, how = {}) {
      return yield* await run(how, (turn) => streamTurn(session, input, turn));
    },
    continue: async (how = {}) => run(how, (turn) => continueTurn(session, turn)),
    retry: async ({ turn: asked, ...how } = {}) =>
      run(how, (turn) => retryTurn(session, { ...turn, ...(asked !== undefined && { turn: asked }) })),
    steer: (input, how) => steerTurn(session, input, how),
    async context({ model: given, ...asked } = {}) {
      const [, model] = await latest(given);
      // The request of an earlier entry does not depend on the choices for turns to come.
      const asSent = !isWhatIf({ ...asked, model: given });
      const own = { ...asked, model, asSent, elsewhere };
      return contextFor(session.store, session.id, { ...announced, ...own });
    },
    async ready() {
      const once = async () => {
        const [info, model] = await latest(undefined);
        const { chosen, options: turn } = await prepareTurn(info, { ...choices, model, announced: true });
        return makeReady(session, turn, { model: chosen, elsewhere });
      };
      const first = await once();
      if (first.compactionId === undefined) return first;
      // Now that something is out of sight, the next turn has the tool that looks there.
      return { compactionId: first.compactionId, ...(await once()) };
    },
  };
}

/**
 * `runTurn` with its events as they happen; the result is the last one, and what the generator returns. A caller
 * that stops listening stops the turn. Fails as `runTurn` does, after every event that came before.
 */
export async function* streamTurn(
  session: Session,
  input: TurnInput,
  options: Omit<TurnOptions, 'onEvent'> = {},
): AsyncGenerator<TurnEvent, TurnResult, void> {
  const leave = new AbortController();
  const { signal } = options;
  let events: TurnEvent[] = [];
  let { promise: news, resolve: ring } = Promise.withResolvers<void>();
  let over = false;
  const result = runTurn(session, input, {
    ...options,
    signal: signal ? AbortSignal.any([signal, leave.signal]) : leave.signal,
    onEvent(event) {
      events.push(event);
      ring();
    },
  }).finally(() => {
    over = true;
    ring();
  });
  // The caller sees a failure when it awaits the result; until then it must not count as unhandled.
  result.catch(() => {});
  try {
    for (;;) {
      const come = events;
      events = [];
      yield* come;
      if (over && events.length === 0) return await result;
      if (events.length > 0) continue;
      await news;
      ({ promise: news, resolve: ring } = Promise.withResolvers<void>());
    }
  } finally {
    leave.abort();
    // The turn is closed before the caller goes on, so that the session can be closed too.
    await result.catch(() => {});
  }
}
