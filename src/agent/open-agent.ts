import type { ChosenModel } from '../models/index.ts';
import type { EntryId } from '../record/index.ts';
import {
  continueTurn,
  type Recovery,
  recoverTurn,
  retryTurn,
  runTurn,
  type Steered,
  steerTurn,
  stopBackground,
  streamTurn,
  type TurnEvent,
  type TurnInput,
  type TurnOptions,
  type TurnResult,
} from '../run/index.ts';
import type { Session } from '../session/index.ts';
import { type ContextForOptions, contextFor, type SessionContext } from './context-for.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { type AgentOptions, prepareTurn } from './prepare-turn.ts';

export interface OpenAgentOptions extends AgentOptions, Pick<TurnOptions, 'approve'> {
  /** The folder that a person works in: see `KnowledgeOptions`. By default the folder of the session's project. */
  readonly folder?: string | undefined;
  /** Shared by several agents: the search index and the files that were read. It stays open. */
  readonly knowledge?: Knowledge;
}

/** What belongs to one turn. */
export type SendOptions = Pick<TurnOptions, 'signal' | 'shutdown' | 'onEvent' | 'approve'> &
  Pick<AgentOptions, 'model'>;

/** A session with everything that its turns need: instructions, memory, recall, compaction, tools and recovery. */
export interface OpenAgent extends AsyncDisposable {
  readonly session: Session;
  /** The model that answers, as of the newest turn, and why that one. */
  readonly model: ChosenModel;
  /** What a crash or a stop left: a question without a whole answer, messages that wait. */
  readonly left: Recovery;
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
  /** What the next turn sends, or what was sent at an earlier entry. */
  context(options?: Pick<ContextForOptions, 'question' | 'id' | 'at' | 'model'>): Promise<SessionContext>;
  /** Ends what runs in the background and gives the index back. The session stays open. */
  close(): Promise<void>;
}

/**
 * Opens an agent on a session that is open to write. What an earlier process left open is closed first; nothing is run, and no
 * model is asked, until a message is sent.
 */
export async function openAgent(session: Session, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  const { folder, knowledge: given, approve, ...choices } = options;
  const { store } = session;
  const knowledge = given ?? openKnowledge(store, { folder });
  const prepare = (model = choices.model) => prepareTurn(session.info, { ...choices, model, knowledge });
  const left = await recoverTurn(session, choices.tools ? { tools: choices.tools } : {});
  let { chosen } = await prepare();
  let line: Promise<unknown> = Promise.resolve();

  /** Preparations end in the order of the calls, so that messages enter the queue in that order. */
  async function optionsFor({ model, ...forTurn }: SendOptions): Promise<TurnOptions> {
    const prepared = line.then(() => prepare(model));
    line = prepared.catch(() => {});
    const { options: turn, chosen: now } = await prepared;
    if (model === undefined) chosen = now;
    return { ...turn, ...(approve && { approve }), ...forTurn };
  }

  async function close(): Promise<void> {
    await stopBackground(session);
    if (!given) await knowledge[Symbol.asyncDispose]();
  }

  return {
    session,
    left,
    get model() {
      return chosen;
    },
    send: async (input, how = {}) => runTurn(session, input, await optionsFor(how)),
    async *stream(input, how = {}) {
      return yield* streamTurn(session, input, await optionsFor(how));
    },
    continue: async (how = {}) => continueTurn(session, await optionsFor(how)),
    async retry({ turn, ...how } = {}) {
      return retryTurn(session, { ...(await optionsFor(how)), ...(turn !== undefined && { turn }) });
    },
    steer: (input, how) => steerTurn(session, input, how),
    context: ({ model = choices.model, ...asked } = {}) =>
      contextFor(store, session.id, { ...choices, ...asked, model, knowledge }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
