import type { HeadPiece } from '../../context/index.ts';
import { memoryHead, projectOfSession } from '../../memory/index.ts';
import { recollect } from '../../recollection/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { type TurnOptions, useAgent } from '../../run/index.ts';
import type { Store } from '../../store/index.ts';
import { createAgentSdkModel } from '../models/agent-sdk-model.ts';
import { type AskedModel, chooseModel, isAgentSdk, referenceOf } from '../models/choose-model.ts';
import type { Service } from '../service.ts';
import type { Prepare } from './runs.ts';

/** What a turn in a session is run with: the model asked for, its agent, what its project knows, what it can recall. */
export function prepareTurn(service: Service, asked: AskedModel): Prepare {
  const { store, env, index, agents } = service;
  return async (session) => {
    const { info } = session;
    const agent =
      agents && typeof info.state.settings.agentPath === 'string' ? await useAgent(session) : undefined;
    const reference = referenceOf(info.state, asked);
    if (reference !== undefined && isAgentSdk(reference)) return sdkOptions(service, info, reference);
    const isAsked = asked.provider != null || asked.model != null;
    const model = isAsked || agent?.model === undefined ? reference : undefined;
    return {
      ...(model !== undefined && { model }),
      ...(agent && { agent }),
      head: await headOf(store, info, await windowOf(service, info, asked)),
      recall: async (question, now) => recollect(store, await index.open(), now, { question }),
      openModel: { env },
    };
  };
}

/** The agent SDK keeps its own context: nothing is compacted for it, and a turn is asked for once. */
async function sdkOptions(
  { store, agentSdk, sessions }: Service,
  info: SessionInfo,
  reference: string,
): Promise<TurnOptions> {
  const { cliSessionId, systemPrompt } = info.state.settings;
  const project = await projectOfSession(store, info).catch(() => undefined);
  const cwd = project?.folders.find(({ leftAt }) => leftAt === undefined)?.path;
  return {
    compaction: false,
    retry: { times: 0 },
    head: typeof systemPrompt === 'string' ? [{ part: 'system', text: systemPrompt }] : [],
    model: createAgentSdkModel({
      reference,
      ...(agentSdk && { sdk: agentSdk }),
      ...(typeof cliSessionId === 'string' && { resume: cliSessionId }),
      ...(cwd !== undefined && { cwd }),
      async onSession(id) {
        if (id === cliSessionId) return;
        const body = { kind: 'setting', name: 'cliSessionId', value: id, by: 'host' } as const;
        await sessions.append(info.id, [{ body }]);
      },
    }),
  };
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
