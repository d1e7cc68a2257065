import { type ChosenModel, modelSettings, namesIn, rememberedReference } from '../models/index.ts';
import { checkArgument, checkOptions, type OptionKinds, settingEntries } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { orderWaiting, type TurnInput } from './accept-input.ts';
import { openKnowledge } from './knowledge.ts';
import { AGENT_OPTIONS, type AgentOptions, chooseFor } from './prepare-turn.ts';
import { type Recovery, recoverTurn } from './recover-turn.ts';
import { stopBackground } from './turn-queue.ts';
import { createTurns, type NamedModel, type SendOptions, type Turns, type TurnsOptions } from './turns.ts';

/**
 * A `model` that is given by name is the session's from the next message on, as with the chat's `--model`, until the session is
 * set to another one.
 */
export interface OpenAgentOptions extends Omit<TurnsOptions, 'knowledge' | 'named'> {
  /** A folder whose instruction files and memory are in the context: see `KnowledgeOptions`. Without one the session decides. */
  readonly folder?: string | undefined;
  /** Shared by several agents: the search index and the files that were read. It stays open. */
  readonly knowledge?: TurnsOptions['knowledge'];
}

/**
 * A session with everything that its turns need: instructions, memory, recall, compaction, tools and recovery. Messages
 * that an earlier process accepted and did not begin keep their place: `send` and `stream` answer them first, `continue`
 * and `retry` behind their own turn. What becomes of one is in the record of its turn.
 */
export interface OpenAgent extends Turns, AsyncDisposable {
  /** The model that answers, as of the newest turn, and why that one. */
  readonly model: ChosenModel;
  /** Why the agent module that the session remembers is left out, as of the opening. */
  readonly agentProblem: string | undefined;
  /** What a crash or a stop had left when the agent was opened: a question without a whole answer, messages that wait. */
  readonly left: Recovery;
  /** `alone`: the messages that wait are left to the caller, who sends them one by one. */
  continue(options?: SendOptions & { readonly alone?: boolean }): ReturnType<Turns['continue']>;
  /** Ends what runs in the background and gives the index back. The session stays open. */
  close(): Promise<void>;
}

/**
 * Opens an agent on a session. What an earlier process left open is closed first; nothing is run, and no model is asked,
 * until a message is sent. On a session that is not open to write only `context` and `prepare` work.
 */
export async function openAgent(session: Session, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  checkArgument(session, 'session', { call: 'openAgent' });
  checkOptions(options, OPTIONS, { call: 'openAgent', elsewhere: ELSEWHERE });
  const { folder, knowledge: given, ...choices } = options;
  const knowledge = given ?? openKnowledge(session.store, { folder });
  const first = await chooseFor(session.info, choices);
  let { chosen } = first;
  const tools = { ...first.agent?.tools, ...choices.tools };
  const left = session.mode === 'write' ? await recoverTurn(session, { tools }) : NOTHING;
  const onChosen = (model: ChosenModel) => {
    chosen = model;
    choices.onChosen?.(model);
  };

  async function close(): Promise<void> {
    await stopBackground(session);
    if (!given) await knowledge[Symbol.asyncDispose]();
  }

  const turns = createTurns(session, {
    ...choices,
    knowledge,
    onChosen,
    named: nameModel(session, choices.model),
  });
  let { waiting } = left;

  /** They enter the queue in their order. */
  async function answer(inputs: readonly TurnInput[], how: SendOptions = {}): Promise<void> {
    const { signal: _, onEvent: __, ...same } = how;
    await Promise.allSettled(inputs.map((input) => turns.send(input, same)));
  }

  async function answerWaiting(how?: SendOptions): Promise<void> {
    const all = waiting;
    waiting = [];
    await answer(all, how);
  }

  /** Sends the messages that wait before this one. Returns the work to do after it. */
  function makeWay(input: TurnInput, how: SendOptions | undefined): () => Promise<void> {
    const { isCut, before, after } = orderWaiting({ ...left, waiting }, input);
    waiting = after;
    void answer(before, how);
    return isCut ? () => answerWaiting(how) : async () => {};
  }

  return {
    ...turns,
    send: async (input, how) => {
      const then = makeWay(input, how);
      return turns.send(input, how).finally(then);
    },
    async *stream(input, how) {
      const then = makeWay(input, how);
      try {
        return yield* turns.stream(input, how);
      } finally {
        await then();
      }
    },
    continue: ({ alone, ...how } = {}) =>
      turns.continue(how).finally(() => (alone ? undefined : answerWaiting(how))),
    retry: (how) => turns.retry(how).finally(() => answerWaiting(how)),
    left,
    agentProblem: first.agentProblem,
    get model() {
      return chosen;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function nameModel(session: Session, model: AgentOptions['model']): NamedModel {
  const names = namesIn(model);
  const isNamed = names !== undefined && (names.provider ?? names.model) != null;
  let kept: string | undefined;
  return {
    asked: ({ state }) =>
      kept === undefined || rememberedReference(state.settings) === kept ? model : undefined,
    async remember() {
      if (!isNamed || kept !== undefined || session.mode !== 'write') return;
      const { settings, trashedAt } = session.info.state;
      if (trashedAt !== undefined) return;
      const changed = Object.entries(modelSettings(names, settings)).filter(
        ([name, value]) => (settings[name] ?? null) !== value,
      );
      const entries = settingEntries(Object.fromEntries(changed), { by: 'user' });
      if (entries.length > 0) await session.append(entries);
      kept = rememberedReference(session.info.state.settings);
    },
  };
}

const OPTIONS: OptionKinds<Required<OpenAgentOptions>> = {
  ...AGENT_OPTIONS,
  approve: 'function',
  folder: 'text',
  knowledge: 'object',
  agentSdk: 'function',
  elsewhere: 'anything',
  onAgentProblem: 'function',
  onChosen: 'function',
};

const ELSEWHERE = {
  systemPrompt: 'It is a setting of the session: createSession(store, { settings: { systemPrompt } }).',
  instructions: "They are the agent's: openAgent(session, { agent: { name, instructions } }).",
};

const NOTHING: Recovery = { closed: [], waiting: [] };
