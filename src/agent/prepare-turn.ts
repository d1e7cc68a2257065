import { isThroughlineError } from '../errors.ts';
import {
  AGENT_SDK,
  type ChooseModelOptions,
  type ChosenModel,
  chooseModel,
  type ModelChoice,
  type ModelNames,
} from '../models/index.ts';
import type { OptionKinds, SessionId, SessionInfo, Settings } from '../record/index.ts';
import { type Agent, refuseNoAgent } from './definition/agent.ts';
import { readConsent } from './definition/agent-consent.ts';
import { type LoadedAgent, loadAgent } from './definition/load-agent.ts';
import type { Knowledge } from './knowledge.ts';
import type { TurnOptions } from './turn-options.ts';

/** What a person or a program may say about the turns of a session. What they leave out, the session says. */
export interface AgentOptions
  extends Pick<
    TurnOptions,
    | 'tools'
    | 'compaction'
    | 'countTokens'
    | 'openModel'
    | 'timeoutMs'
    | 'maxSteps'
    | 'retry'
    | 'temperature'
    | 'providerOptions'
  > {
  /** The model that answers: one that cannot be used is an error. Without one: see `chooseModel`. */
  readonly model?: ModelChoice | ModelNames | undefined;
  /**
   * `false`: none. Without one: the module that the session remembers, if a person agreed to run it on this machine and it can
   * be loaded. Where the remembered module is left out, `agentProblem` says why.
   */
  readonly agent?: Agent | false | undefined;
  /** The model's window in tokens, if it is another than the catalogue says. */
  readonly window?: number | undefined;
  /** `false`: the project's instructions and facts are left out. */
  readonly memory?: boolean;
  /**
   * `false` or 0: nothing is recalled from compacted turns, and the model has no tool to look there. A number: tokens for
   * recalled messages, 2,000 unless given.
   */
  readonly recall?: boolean | number | undefined;
}

export const AGENT_OPTIONS: OptionKinds<Required<AgentOptions>> = {
  model: 'anything',
  tools: 'object',
  agent: 'anything',
  window: 'number',
  memory: 'boolean',
  recall: ['boolean', 'number'],
  compaction: ['object', 'false'],
  countTokens: 'function',
  maxSteps: 'number',
  retry: 'object',
  timeoutMs: 'number',
  temperature: 'number',
  providerOptions: 'object',
  openModel: 'object',
};

export interface PrepareOptions extends AgentOptions {
  readonly knowledge: Knowledge;
  /** Nothing is sent: a model needs no key. */
  readonly announced?: boolean;
  /** Opens the agent SDK as the model of a session, where it can be run. */
  readonly agentSdk?: (info: SessionInfo, chosen: ChosenModel) => Promise<ModelChoice>;
  /** Called for a turn that goes on without the module that the session remembers. */
  readonly onAgentProblem?: (problem: string, session: SessionId) => void;
}

export interface PreparedTurn {
  readonly chosen: ChosenModel;
  /** The model that this turn alone was prepared with. */
  readonly asked?: AgentOptions['model'];
  /** Why the agent module that the session remembers is left out. */
  readonly agentProblem?: string;
  readonly options: TurnOptions;
}

/**
 * Decides everything that the next turn of a session is run with: model, agent, tools, instructions, facts, recall, window
 * and compaction. Every face runs its turns with this and announces them by it, so both are the same.
 */
export async function prepareTurn(info: SessionInfo, options: PrepareOptions): Promise<PreparedTurn> {
  const { knowledge, model: _model, agent: _agent, window, memory, recall, announced, ...rest } = options;
  const { agentSdk, onAgentProblem, ...forTurn } = rest;
  const { agent, agentProblem, chosen } = await chooseFor(info, options);
  const said = agentProblem === undefined ? {} : { agentProblem };
  if (agentProblem !== undefined && !announced) onAgentProblem?.(agentProblem, info.id);
  // The SDK keeps its own context: nothing is laid around its turns but the session's system prompt, and it is asked once.
  if (chosen.provider === AGENT_SDK) {
    const { timeoutMs } = forTurn;
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const sdk = agentSdk && !announced ? await agentSdk(info, chosen) : chosen;
    const own = { model: sdk, compaction: false, retry: { times: 0 } } as const;
    return { chosen, ...said, options: { ...own, ...said, ...limit } };
  }
  const around = await surround(info, { knowledge, window: window ?? chosen.limits.window, memory, recall });
  const mayLook = around.recall !== undefined && mayLookBack(info, agent, chosen);
  const tool = mayLook && isOutOfSight(info) ? await knowledge.recallTool(info) : undefined;
  const budget = {
    ...(window !== undefined && { window }),
    ...(typeof recall === 'number' && { recallTokens: recall }),
  };
  return {
    chosen,
    ...said,
    options: {
      ...forTurn,
      ...said,
      model: chosen,
      ...(agent && { agent }),
      ...around,
      ...(tool && { tools: { [tool.name]: tool, ...forTurn.tools } }),
      ...(mayLook && { optionalTools: [RECALL] }),
      ...(mayLook &&
        !tool && { toolsOnceCompacted: async () => ({ [RECALL]: await knowledge.recallTool(info) }) }),
      knowledge: knowledge.quotes,
      budget,
    },
  };
}

export interface SurroundOptions extends Pick<AgentOptions, 'recall'> {
  readonly knowledge: Knowledge;
  /** Tokens that a request may have. */
  readonly window: number;
  readonly memory?: boolean | undefined;
}

/** The project's instructions and facts, and the recall of compacted turns, for the turns and requests of a session. */
export async function surround(
  info: SessionInfo,
  { knowledge, window, memory = true, recall = true }: SurroundOptions,
): Promise<Required<Pick<TurnOptions, 'head'>> & Pick<TurnOptions, 'recall'>> {
  const maxTokens = typeof recall === 'number' ? { maxTokens: recall } : {};
  const recalls = recall !== false && recall !== 0;
  return {
    head: memory ? await knowledge.head(info, window) : [],
    ...(recalls && { recall: (question, now) => knowledge.recall(question, now, maxTokens) }),
  };
}

const RECALL = 'recall';

/**
 * True where there is something out of sight: a compaction, or a session before. Until then the recall tool would only cost its
 * description; the request changes at a compaction anyway.
 */
function isOutOfSight({ state: { roots, restoration } }: SessionInfo): boolean {
  return roots.length > 0 || restoration !== undefined;
}

/** An agent's own tool of that name stays, and a model that refused tools in this session is offered none. */
function mayLookBack(
  { state: { settings } }: SessionInfo,
  agent: Agent | undefined,
  { id, provider }: ChosenModel,
): boolean {
  return provider !== 'offline' && !agent?.tools?.recall && !settings.toolless?.includes(id);
}

interface ChosenFor extends Pick<PreparedTurn, 'chosen' | 'agentProblem'> {
  readonly agent: Agent | undefined;
}

/** The agent module and the model of the next turn. */
export async function chooseFor(
  info: Pick<SessionInfo, 'state'>,
  options: Omit<PrepareOptions, 'knowledge'> & Pick<ChooseModelOptions, 'current'>,
): Promise<ChosenFor> {
  const { agent: given, model: asked, announced = false, agentSdk, openModel: open, current } = options;
  const { agent, problem } = await chooseAgent(info, given);
  const how = { announced, agentSdk: agentSdk !== undefined, open, current };
  const chosen = await chooseModel(info.state, { asked, agent: agent?.model, ...how });
  return { agent, chosen, ...(problem !== undefined && { agentProblem: problem }) };
}

/**
 * What the agent module that a session remembers wants kept in summaries. `agents`: false where modules are not run. A module that
 * cannot be loaded wants nothing.
 */
export async function summaryInstructionsOf(
  { state }: Pick<SessionInfo, 'state'>,
  { agents = true }: { readonly agents?: boolean | undefined },
): Promise<string | undefined> {
  return agents ? (await rememberedAgent(state.settings)).agent?.summaryInstructions : undefined;
}

interface ChosenAgent<Kind = Agent> {
  readonly agent?: Kind | undefined;
  /** Why the module that the session remembers does not answer: the session goes on without it. */
  readonly problem?: string;
}

/** The agent of a session: the given one, none for `false`, and without one the module that the session remembers. */
export async function chooseAgent(
  { state }: Pick<SessionInfo, 'state'>,
  given: Agent | false | undefined,
): Promise<ChosenAgent> {
  const { settings } = state;
  if (given == null) return rememberedAgent(settings);
  refuseNoAgent(given);
  if (given !== false) return { agent: given };
  return settings.agentPath === undefined ? {} : { problem: notRun(settings.agentPath) };
}

/**
 * The agent of the module that a session remembers. A module that cannot be loaded leaves the session usable, as does a model that
 * cannot be used. The path may have come with a file from anywhere, so nothing is run that no person agreed to.
 */
export async function rememberedAgent({ agentPath }: Settings): Promise<ChosenAgent<LoadedAgent>> {
  if (agentPath === undefined) return {};
  if ((await readConsent(agentPath)) === 'not given') return { problem: notAgreed(agentPath) };
  try {
    return { agent: await loadAgent(agentPath) };
  } catch (error) {
    if (!isThroughlineError(error, 'agent-broken')) throw error;
    return {
      problem: `Session created with ${agentPath}, which cannot be used here; going on without it. ${error.message}`,
    };
  }
}

function notRun(file: string): string {
  return `Session created with ${file}; agent modules are not run here, so it goes on without it.`;
}

function notAgreed(file: string): string {
  return `It names a module to run: ${file}. Nobody agreed to that here, so it was not run.`;
}
