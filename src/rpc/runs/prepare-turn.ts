import type { HeadPiece } from '../../context/index.ts';
import { memoryHead, projectOfSession } from '../../memory/index.ts';
import { recollect } from '../../recollection/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { readConsent, useAgent } from '../../run/index.ts';
import type { Store } from '../../store/index.ts';
import { sdkOptions } from '../agent-sdk/sdk-options.ts';
import { type AskedModel, chooseModel, isAgentSdk, referenceOf } from '../models/choose-model.ts';
import type { Service } from '../service.ts';
import type { Prepare } from './runs.ts';

/** What a turn in a session is run with: the model asked for, its agent, what its project knows, what it can recall. */
export function prepareTurn(service: Service, asked: AskedModel): Prepare {
  const { store, env, index, modelTimeoutMs } = service;
  const limit = modelTimeoutMs === undefined ? {} : { timeoutMs: modelTimeoutMs };
  return async (session) => {
    const { info } = session;
    const agent = (await mayRunAgent(service, info)) ? await useAgent(session) : undefined;
    const reference = referenceOf(info.state, asked);
    if (reference !== undefined && isAgentSdk(reference))
      return { ...(await sdkOptions(service, info, reference)), ...limit };
    const isAsked = asked.provider != null || asked.model != null;
    const model = isAsked || agent?.model === undefined ? reference : undefined;
    return {
      ...(model !== undefined && { model }),
      ...(agent && { agent }),
      head: await headOf(store, info, await windowOf(service, info, asked)),
      recall: async (question, now) => recollect(store, await index.open(), now, { question }),
      openModel: { env },
      ...limit,
    };
  };
}

/** Its module may have been named by a file from anywhere: a person has to have agreed to it, and nobody is here to ask. */
async function mayRunAgent({ agents, onNotice }: Service, { id, state }: SessionInfo): Promise<boolean> {
  const { agentPath } = state.settings;
  if (!agents || typeof agentPath !== 'string') return false;
  if ((await readConsent(agentPath)) !== 'not given') return true;
  onNotice(
    `Session ${id} names a module to run: ${agentPath}. Nobody agreed to that here, so it was not run; "throughline chat --agent <file>" agrees to it.`,
  );
  return false;
}

async function windowOf({ env }: Service, info: SessionInfo, asked: AskedModel): Promise<number | undefined> {
  const chosen = await chooseModel(info.state, asked, { env }).catch(() => undefined);
  return chosen?.window;
}

/** What stands in front of every request. What cannot be read must not keep a message from being written down. */
export async function headOf(
  store: Store,
  info: SessionInfo,
  window: number | undefined,
): Promise<readonly HeadPiece[]> {
  const { systemPrompt } = info.state.settings;
  const system =
    typeof systemPrompt === 'string' && systemPrompt !== '' ? [{ part: 'system', text: systemPrompt }] : [];
  try {
    const project = await projectOfSession(store, info);
    if (!project) return system;
    const { pieces } = await memoryHead(store, { project, ...(window !== undefined && { window }) });
    return [...system, ...pieces];
  } catch {
    return system;
  }
}
