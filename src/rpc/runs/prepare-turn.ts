import { type OpenedModel, openModel } from '../../models/index.ts';
import { recollect } from '../../recollection/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import {
  type Agent,
  type DescribedModel,
  headOf,
  loadAgent,
  openAnswering,
  readConsent,
  type TurnOptions,
  useAgent,
} from '../../run/index.ts';
import { sdkOptions } from '../agent-sdk/sdk-options.ts';
import {
  type AskedModel,
  type ChosenModel,
  chooseModel,
  isAgentSdk,
  referenceOf,
} from '../models/choose-model.ts';
import type { Service } from '../service.ts';
import type { Prepare } from './runs.ts';

/** What a turn in a session is run with: the model asked for, its agent, what its project knows, what it can recall. */
export function prepareTurn(service: Service, asked: AskedModel): Prepare {
  return async (session) => {
    const agent = (await mayRunAgent(service, session.info)) ? await useAgent(session) : undefined;
    return optionsOf(service, session.info, { asked, agent });
  };
}

/** What the next turn would be run with, for an announcement: nothing is written, and no model needs a key. */
export async function announceTurn(
  service: Service,
  info: SessionInfo,
  { asked, window }: { asked: AskedModel; window?: number | undefined },
): Promise<{ chosen: ChosenModel; model: DescribedModel; options: TurnOptions }> {
  const agent = await announcedAgent(service, info);
  const chosen = await chooseModel(info.state, asked, service);
  const options = await optionsOf(service, info, { asked, agent, window, announced: true });
  const budgeted = window === undefined ? options : { ...options, budget: { window } };
  const limits = { window: chosen.window, output: chosen.output, source: 'catalogue' as const };
  if (isAgentSdk(chosen.id)) return { chosen, model: { id: chosen.id, limits }, options: budgeted };
  const opened = await openAnswering(info.state, options).catch(() => undefined);
  if (!opened) return { chosen, model: { id: chosen.id, limits }, options: budgeted };
  return { chosen: describe(opened), model: opened, options: budgeted };
}

function describe({ id, provider, model, limits }: OpenedModel): ChosenModel {
  return { id, provider, model, window: limits.window, output: limits.output, configured: true };
}

async function optionsOf(
  service: Service,
  info: SessionInfo,
  {
    asked,
    agent,
    window,
    announced = false,
  }: { asked: AskedModel; agent: Agent | undefined; window?: number | undefined; announced?: boolean },
): Promise<TurnOptions> {
  const { store, env, index, modelTimeoutMs } = service;
  const limit = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs };
  const reference = referenceOf(info.state, asked);
  if (reference !== undefined && isAgentSdk(reference))
    return { ...(announced ? sdkFrame(info) : await sdkOptions(service, info, reference)), ...limit };
  const isAsked = asked.provider != null || asked.model != null;
  const wished = isAsked || agent?.model === undefined ? reference : undefined;
  // For a model that only another program knows, the model that the environment names answers.
  const model =
    wished === undefined && agent?.model === undefined
      ? await openModel(undefined, { env }).catch(() => undefined)
      : wished;
  return {
    ...(model !== undefined && { model }),
    ...(agent && { agent }),
    head: await headOf(store, info, { window: window ?? (await windowOf(service, info, asked)) }),
    recall: async (question, now) => recollect(store, await index.open(), now, { question }),
    openModel: { env },
    ...limit,
  };
}

/** Its module may have been named by a file from anywhere: a person has to have agreed to it, and nobody is here to ask. */
async function mayRunAgent(
  { agents, onNotice }: Pick<Service, 'agents' | 'onNotice'>,
  { id, state }: SessionInfo,
): Promise<boolean> {
  const { agentPath } = state.settings;
  if (!agents || typeof agentPath !== 'string') return false;
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
    head: typeof systemPrompt === 'string' ? [{ part: 'system', text: systemPrompt }] : [],
  };
}

async function windowOf({ env }: Service, info: SessionInfo, asked: AskedModel): Promise<number | undefined> {
  const chosen = await chooseModel(info.state, asked, { env }).catch(() => undefined);
  return chosen?.window;
}
