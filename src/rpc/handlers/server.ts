import { surveyProjects } from '../../memory/index.ts';
import {
  AGENT_SDK,
  chooseModel,
  type Environment,
  PROVIDERS,
  type ProviderName,
  rememberedReference,
} from '../../models/index.ts';
import { reachesProject, reachesSession } from '../../operations/index.ts';
import type { Call, Handler } from '../call.ts';
import { describeInterface } from '../describe-interface.ts';
import type { ResultOf } from '../methods/index.ts';

const info: Handler<'server/info'> = (_, call) => {
  const { store, version, access, project, heartbeatMs, maxBodyBytes } = call;
  return {
    name: 'throughline',
    version,
    store: { backend: store.facts.backend, readOnly: store.facts.readOnly ?? null },
    user: access.user,
    mayWrite: access.mayWrite,
    projects: access.projects === null ? null : [...access.projects],
    project: access.projects === null ? (project ?? null) : null,
    heartbeatMs,
    maxBodyBytes,
  };
};

type Listed = ResultOf<'models/list'>['models'][number];

const models: Handler<'models/list'> = async (_, call) => {
  const { env } = call;
  const standard = await chooseModel({ settings: {} }, { open: { env } }).catch(() => undefined);
  const defaults = Object.entries(PROVIDERS).flatMap(([provider, facts]) =>
    'defaultModel' in facts ? [`${provider}:${facts.defaultModel}`] : [],
  );
  const ids = new Set([...(standard ? [standard.id] : []), ...(await usedModels(call)), ...defaults]);
  const described = [...ids].map((id) => describe(id, { env, standard: standard?.id }));
  // A model of another program, which a session was imported with, is none that could be chosen.
  const known = await Promise.allSettled(described);
  return { models: known.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])) };
};

async function describe(
  id: string,
  { env, standard }: { env: Environment; standard: string | undefined },
): Promise<Listed> {
  const how = { asked: id, agentSdk: true, announced: true, open: { env } };
  const { provider, model, limits, opened } = await chooseModel({ settings: {} }, how);
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as ProviderName] : undefined;
  return {
    id,
    provider,
    model,
    label: known?.label ?? provider,
    configured: opened !== undefined || provider === AGENT_SDK,
    isDefault: id === standard,
    window: limits.window,
    output: limits.output,
  };
}

/** Models that the newest sessions are set to. */
async function usedModels({ store, access }: Call): Promise<string[]> {
  const { sessions } = await store.list({ limit: 100, place: 'active' });
  const found: string[] = [];
  for (const session of sessions) {
    if (!(await reachesSession(store, access, session))) continue;
    const reference = rememberedReference(session.state.settings);
    if (reference?.includes(':')) found.push(reference);
  }
  return found;
}

const projects: Handler<'projects/list'> = async (_, { store, access }) => {
  const surveyed = await surveyProjects(store);
  return {
    projects: surveyed
      .filter(({ project }) => reachesProject(access, project))
      .map(({ project: { id, name, labels, known }, folder = null, sessions, updatedAt }) => ({
        id,
        name,
        folder,
        labels: [...labels],
        known,
        sessions,
        updatedAt,
      })),
  };
};

export const server = {
  'server/info': info,
  'models/list': models,
  'projects/list': projects,
  'rpc.discover': ((_, { version }) => describeInterface(version)) satisfies Handler<'rpc.discover'>,
};
