import {
  AGENT_SDK,
  type ChosenModel,
  chooseModel,
  type ModelChoice,
  type ModelNames,
} from '../models/index.ts';
import type { SessionId, SessionInfo } from '../record/index.ts';
import { type Agent, loadAgent, readConsent, type TurnOptions } from '../run/index.ts';
import type { Knowledge } from './knowledge.ts';

/** What a person or a program may say about the turns of a session. What they leave out, the session says. */
export interface AgentOptions
  extends Pick<
    TurnOptions,
    | 'tools'
    | 'compaction'
    | 'openModel'
    | 'timeoutMs'
    | 'maxSteps'
    | 'retry'
    | 'temperature'
    | 'providerOptions'
  > {
  /** The model that answers: one that cannot be used is an error. Without one: see `chooseModel`. */
  readonly model?: ModelChoice | ModelNames | undefined;
  /** `false`: none. Without one: the module that the session remembers, if a person agreed to run it on this machine. */
  readonly agent?: Agent | false | undefined;
  /** The model's window in tokens, if it is another than the catalogue says. */
  readonly window?: number | undefined;
  /** `false`: the project's instructions and facts are left out. */
  readonly memory?: boolean;
  /** `false`: nothing is recalled from compacted turns. A number: tokens for it, 2,000 unless given. */
  readonly recall?: boolean | number | undefined;
}

export interface PrepareOptions extends AgentOptions {
  readonly knowledge: Knowledge;
  /** Nothing is run: a model needs no key, and an agent module that is broken is left out. */
  readonly announced?: boolean;
  /** Opens the agent SDK as the model of a session, where it can be run. */
  readonly agentSdk?: (info: SessionInfo, chosen: ChosenModel) => Promise<ModelChoice>;
  /** Called with a module that the session names and no person agreed to: a turn goes on without it. */
  readonly onRefusedAgent?: (file: string, session: SessionId) => void;
}

export interface PreparedTurn {
  readonly chosen: ChosenModel;
  readonly options: TurnOptions;
}

/**
 * Decides everything that the next turn of a session is run with: model, agent, tools, instructions, facts, recall, window
 * and compaction. Every face runs its turns with this and announces them by it, so both are the same.
 */
export async function prepareTurn(info: SessionInfo, options: PrepareOptions): Promise<PreparedTurn> {
  const {
    knowledge,
    model: _model,
    agent: _agent,
    window,
    memory = true,
    recall = true,
    announced,
    ...rest
  } = options;
  const { agentSdk, onRefusedAgent, ...forTurn } = rest;
  const { agent, chosen } = await chooseFor(info, options);
  // The SDK keeps its own context: nothing is laid around its turns but the session's system prompt, and it is asked once.
  if (chosen.provider === AGENT_SDK) {
    const { timeoutMs } = forTurn;
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const sdk = agentSdk && !announced ? await agentSdk(info, chosen) : chosen;
    return { chosen, options: { model: sdk, compaction: false, retry: { times: 0 }, ...limit } };
  }
  const maxTokens = typeof recall === 'number' ? recall : undefined;
  const budget = {
    ...(window !== undefined && { window }),
    ...(maxTokens !== undefined && { recallTokens: maxTokens }),
  };
  return {
    chosen,
    options: {
      ...forTurn,
      model: chosen,
      ...(agent && { agent }),
      head: memory ? await knowledge.head(info, window ?? chosen.limits.window) : [],
      ...(recall !== false &&
        recall !== 0 && {
          recall: (question: string, now: SessionInfo) =>
            knowledge.recall(question, now, maxTokens === undefined ? {} : { maxTokens }),
        }),
      knowledge: knowledge.quotes,
      budget,
    },
  };
}

/** The agent module and the model of the next turn. */
export async function chooseFor(
  info: SessionInfo,
  options: Omit<PrepareOptions, 'knowledge'>,
): Promise<{ readonly agent: Agent | undefined; readonly chosen: ChosenModel }> {
  const { agent: given, model: asked, announced = false, agentSdk, openModel: open } = options;
  const agent = given === undefined ? await rememberedAgent(info, options) : given || undefined;
  const how = { announced, agentSdk: agentSdk !== undefined, open };
  return { agent, chosen: await chooseModel(info.state, { asked, agent: agent?.model, ...how }) };
}

/**
 * The path of the module may have come with a file from anywhere, so a person has to have agreed to it. A file that is not
 * there cannot be run; loading it says so.
 */
async function rememberedAgent(
  { id, state }: SessionInfo,
  { announced = false, onRefusedAgent }: Omit<PrepareOptions, 'knowledge'>,
): Promise<Agent | undefined> {
  const { agentPath } = state.settings;
  if (agentPath === undefined) return undefined;
  if ((await readConsent(agentPath)) === 'not given') {
    if (!announced) onRefusedAgent?.(agentPath, id);
    return undefined;
  }
  const loading = loadAgent(agentPath);
  return announced ? loading.catch(() => undefined) : loading;
}
