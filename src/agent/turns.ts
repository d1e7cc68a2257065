import type { ChosenModel } from '../models/index.ts';
import type { EntryId } from '../record/index.ts';
import {
  continueTurn,
  type Elsewhere,
  makeReady,
  type NextRequest,
  retryTurn,
  runTurn,
  type Steered,
  steerTurn,
  streamTurn,
  type TurnEvent,
  type TurnInput,
  type TurnOptions,
  type TurnResult,
} from '../run/index.ts';
import type { Session } from '../session/index.ts';
import { type ContextForOptions, contextFor, type SessionContext } from './context-for.ts';
import { type AgentOptions, type PreparedTurn, type PrepareOptions, prepareTurn } from './prepare-turn.ts';

export interface TurnsOptions
  extends AgentOptions,
    Pick<TurnOptions, 'approve'>,
    Pick<PrepareOptions, 'knowledge' | 'agentSdk' | 'onRefusedAgent'> {
  /** Builds the requests of `context` and `ready` in another thread. */
  readonly elsewhere?: Elsewhere;
  /** Called with the model of every turn that is sent without one of its own. */
  readonly onChosen?: (model: ChosenModel) => void;
}

/** What belongs to one turn. */
export type SendOptions = Pick<TurnOptions, 'signal' | 'shutdown' | 'onEvent' | 'approve'> &
  Pick<AgentOptions, 'model'> & {
    /** From `prepare`: the message enters the queue at once, and what was prepared is not prepared again. */
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
  /** What the next turn sends, or what was sent at an earlier entry. */
  context(options?: Pick<ContextForOptions, 'question' | 'id' | 'at' | 'model'>): Promise<SessionContext>;
  /** Compacts the session as its next turn would before it asks, if its policy says so, and gives the request after that. */
  ready(): Promise<NextRequest & { readonly compactionId?: string }>;
}

/**
 * The one place where turns get their options: `openAgent` adds recovery and a life of its own, a server that shares a
 * session's handle between calls uses this.
 */
export function createTurns(session: Session, options: TurnsOptions): Turns {
  const { approve, elsewhere, onChosen, ...choices } = options;
  let line: Promise<unknown> = Promise.resolve();

  const prepare: Turns['prepare'] = ({ model = choices.model } = {}) =>
    prepareTurn(session.info, { ...choices, model });

  /** Preparations end in the order of the calls, so that messages enter the queue in that order. */
  function inLine(model: AgentOptions['model']): Promise<PreparedTurn> {
    const prepared = line.then(() => prepare({ model }));
    line = prepared.then(
      ({ chosen }) => model === undefined && onChosen?.(chosen),
      () => {},
    );
    return prepared;
  }

  function run<T>(how: SendOptions, turn: (options: TurnOptions) => T): T | Promise<T> {
    const { model, prepared, ...forTurn } = how;
    const start = ({ options: decided }: PreparedTurn) =>
      turn({ ...decided, ...(approve && { approve }), ...forTurn });
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
    context({ model, at, ...asked } = {}) {
      const { model: standing, window, recall, ...rest } = choices;
      // What was sent at an entry does not depend on the choices for turns to come.
      const own = at === undefined ? { model: model ?? standing, window, recall } : { model, at };
      return contextFor(session.store, session.id, { ...rest, ...asked, ...own, elsewhere });
    },
    async ready() {
      const { chosen, options: turn } = await prepareTurn(session.info, { ...choices, announced: true });
      return makeReady(session, turn, { model: chosen, elsewhere });
    },
  };
}
