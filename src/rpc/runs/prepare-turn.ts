import { AGENT_SDK, type ChosenModel, chooseModel, type ModelNames } from '../../models/index.ts';
import { recollect } from '../../recollection/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { type Agent, headOf, loadAgent, readConsent, type TurnOptions, useAgent } from '../../run/index.ts';
import { sdkOptions } from '../agent-sdk/sdk-options.ts';
import type { Service } from '../service.ts';
import type { Prepare } from './runs.ts';

export interface PreparedTurn {
  readonly chosen: ChosenModel;
  readonly options: TurnOptions;
}

/** What a turn in a session is run with: the model asked for, its agent, what its project knows, what it can recall. */
export function prepareTurn(service: Service, asked: ModelNames): Prepare {
  return async (session) => {
    const agent = (await mayRunAgent(service, session.info)) ? await useAgent(session) : undefined;
    return prepare(service, session.info, { asked, agent });
  };
}

/** The same for an announcement: nothing is written, and a model that is asked for needs no key. */
export async function announceTurn(
  service: Service,
  info: SessionInfo,
  { asked, window }: { asked: ModelNames; window?: number | undefined },
): Promise<PreparedTurn> {
  const agent = await announcedAgent(service, info);
  const { chosen, options } = await prepare(service, info, { asked, agent, window, announced: true });
  return { chosen, options: window === undefined ? options : { ...options, budget: { window } } };
}

async function prepare(
  service: Service,
  info: SessionInfo,
  {
    asked,
    agent,
    window,
    announced = false,
  }: { asked: ModelNames; agent: Agent | undefined; window?: number | undefined; announced?: boolean },
): Promise<PreparedTurn> {
  const { store, env, index, modelTimeoutMs } = service;
  const open = { env };
  const chosen = await chooseModel(info.state, {
    asked,
    agent: agent?.model,
    agentSdk: true,
    announced,
    open,
  });
  const limit = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs };
  if (chosen.provider === AGENT_SDK) {
    const sdk = announced ? sdkFrame(info) : await sdkOptions(service, info, chosen);
    return { chosen, options: { ...sdk, ...limit } };
  }
  const options = {
    model: chosen,
    ...(agent && { agent }),
    head: await headOf(store, info, { window: window ?? chosen.limits.window }),
    recall: async (question: string, now: SessionInfo) =>
      recollect(store, await index.open(), now, { question }),
    openModel: open,
    ...limit,
  };
  return { chosen, options };
}

/** Its module may have been named by a file from anywhere: a person has to have agreed to it, and nobody is here to ask. */
async function mayRunAgent(
  { agents, onNotice }: Pick<Service, 'agents' | 'onNotice'>,
  { id, state }: SessionInfo,
): Promise<boolean> {
  const { agentPath } = state.settings;
  if (!agents || agentPath === undefined) return false;
  if ((await readConsent(agentPath)) !== 'not given') return true;
  onNotice(
    `Session ${id} names a module to run: ${agentPath}. Nobody agreed to that here, so it was not run; "throughline chat --agent <file>" agrees to it.`,
  );
  return false;
}

/** One that is broken is told when the turn is run. */
async function announcedAgent({ agents }: Service, info: SessionInfo): Promise<Agent | undefined> {
  if (!(await mayRunAgent({ agents, onNotice() {} }, info))) return undefined;
  return loadAgent(String(info.state.settings.agentPath)).catch(() => undefined);
}

/** What stands around a turn of the agent SDK, as far as that can be told without running it. */
function sdkFrame({ state }: SessionInfo): TurnOptions {
  const { systemPrompt } = state.settings;
  return {
    compaction: false,
    head: systemPrompt !== undefined ? [{ part: 'system', text: systemPrompt }] : [],
  };
}
