import { z } from 'zod';
import {
  AGENT_SDK,
  chooseModel,
  type Environment,
  PROVIDERS,
  type ProviderName,
  rememberedReference,
} from '../../models/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { operation } from '../operation.ts';

const ModelRecord = z.strictObject({
  id: z.string().describe('`provider:model`'),
  provider: z.string(),
  model: z.string(),
  label: z.string(),
  configured: z.boolean().describe('Whether the server has what it takes to ask it.'),
  isDefault: z.boolean().describe('The one that answers when nobody names one.'),
  window: z.int(),
  output: z.int(),
});

export const listModels = operation({
  name: 'models/list',
  summary:
    'Models to choose from: the default of each provider, and those that sessions use. Any other can be named too.',
  params: z.strictObject({}),
  result: z.strictObject({
    models: z.array(ModelRecord),
  }),
  faces: { rpc: true },
  async run(_, app) {
    const { env } = app;
    const standard = await chooseModel({ settings: {} }, { open: { env } }).catch(() => undefined);
    const defaults = Object.entries(PROVIDERS).flatMap(([provider, facts]) =>
      'defaultModel' in facts ? [`${provider}:${facts.defaultModel}`] : [],
    );
    const ids = new Set([...(standard ? [standard.id] : []), ...(await usedModels(app)), ...defaults]);
    const described = [...ids].map((id) => describe(id, { env, standard: standard?.id }));
    // A model of another program, which a session was imported with, is none that could be chosen.
    const known = await Promise.allSettled(described);
    return { models: known.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])) };
  },
});

async function describe(
  id: string,
  { env, standard }: { env: Environment; standard: string | undefined },
): Promise<z.output<typeof ModelRecord>> {
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
async function usedModels({ store, access }: App): Promise<string[]> {
  const { sessions } = await store.list({ limit: 100, place: 'active' });
  const found: string[] = [];
  for (const session of sessions) {
    if (!(await reachesSession(store, access, session))) continue;
    const reference = rememberedReference(session.state.settings);
    if (reference?.includes(':')) found.push(reference);
  }
  return found;
}
