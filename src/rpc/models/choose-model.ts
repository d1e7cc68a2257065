import { isThroughlineError } from '../../errors.ts';
import {
  type Environment,
  openModel,
  PROVIDER_ALIASES,
  PROVIDERS,
  type ProviderName,
  parseReference,
} from '../../models/index.ts';
import type { SessionState } from '../../record/index.ts';
import { modelLimits } from '../../tokens/index.ts';
import { refused } from '../error-codes.ts';

/** Keeps its own context, and is continued by its own session id. */
export const AGENT_SDK = 'agent-sdk';

export interface AskedModel {
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

export interface ChosenModel {
  readonly provider: string;
  readonly model: string;
  /** `provider:model`; for `openModel`, unless it is the agent SDK's. */
  readonly id: string;
  readonly window: number;
  readonly output: number;
  /** Whether the server has what it takes to ask it. */
  readonly configured: boolean;
}

export function providerName(provider: string): string {
  const name = PROVIDER_ALIASES[provider] ?? provider;
  if (name === AGENT_SDK || Object.hasOwn(PROVIDERS, name)) return name;
  const known = [...Object.keys(PROVIDERS), AGENT_SDK].join(', ');
  throw refused('model-unknown', `No provider "${provider}"; there are ${known}.`, { reference: provider });
}

/**
 * What was asked for, and where that says nothing, what the session was set to. `undefined`: what the environment says.
 * A model that a session brought along from another program, and that nobody here knows, keeps nobody from the session.
 */
export function referenceOf(
  { settings }: Pick<SessionState, 'settings'>,
  { provider, model }: AskedModel = {},
): string | undefined {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const stored = splitKnown(text(settings.provider), text(settings.model));
  const asked = split(provider ?? undefined, model ?? undefined);
  const named =
    asked.model ??
    (asked.provider === undefined || asked.provider === stored.provider ? stored.model : undefined);
  const chosen =
    asked.provider ?? (named === undefined ? stored.provider : ownerOf(named, stored, asked.model));
  if (chosen === undefined) return named;
  return named === undefined ? chosen : `${chosen}:${named}`;
}

/** Opens nothing that costs: a model without a key is described all the same, by its name. */
export async function chooseModel(
  state: Pick<SessionState, 'settings'>,
  asked: AskedModel,
  { env }: { env: Environment },
): Promise<ChosenModel> {
  const reference = referenceOf(state, asked);
  if (reference !== undefined && isAgentSdk(reference)) return describeAgentSdk(reference);
  try {
    const { id, provider, model, limits } = await openModel(reference, { env });
    return { id, provider, model, window: limits.window, output: limits.output, configured: true };
  } catch (error) {
    const [provider = '', ...rest] = (reference ?? '').split(':');
    const model = rest.length === 0 ? defaultOf(provider) : rest.join(':');
    if (!isThroughlineError(error, 'model-not-configured') || model === undefined) throw error;
    const id = `${provider}:${model}`;
    const { window, output } = modelLimits(id);
    return { id, provider, model, window, output, configured: false };
  }
}

function defaultOf(provider: string): string | undefined {
  const facts = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as ProviderName] : undefined;
  return facts && 'defaultModel' in facts ? facts.defaultModel : undefined;
}

export function isAgentSdk(reference: string): boolean {
  return reference === AGENT_SDK || reference.startsWith(`${AGENT_SDK}:`);
}

export function describeAgentSdk(reference: string): ChosenModel {
  const model = reference.slice(AGENT_SDK.length + 1) || 'default';
  const { window, output } = modelLimits(model === 'default' ? 'claude' : model);
  return { id: `${AGENT_SDK}:${model}`, provider: AGENT_SDK, model, window, output, configured: true };
}

/** `openai:gpt-6` names its provider by itself. */
export function providerIn(model: string | undefined): string | undefined {
  const colon = model?.indexOf(':') ?? -1;
  if (colon <= 0) return undefined;
  const head = model!.slice(0, colon);
  const named = PROVIDER_ALIASES[head] ?? head;
  return named === AGENT_SDK || Object.hasOwn(PROVIDERS, named) ? named : undefined;
}

function split(
  provider: string | undefined,
  model: string | undefined,
): { provider: string | undefined; model: string | undefined } {
  const named = providerIn(model);
  if (named !== undefined) return { provider: named, model: model!.slice(model!.indexOf(':') + 1) };
  return { provider: provider === undefined ? undefined : providerName(provider), model };
}

/** The same for what was not asked for now: nothing, if nobody here knows it. */
function splitKnown(provider: string | undefined, model: string | undefined): ReturnType<typeof split> {
  try {
    const parts = split(provider, model);
    if (parts.provider !== undefined || parts.model === undefined || providerOf(parts.model)) return parts;
  } catch (error) {
    if (!isThroughlineError(error, 'model-unknown')) throw error;
  }
  return { provider: undefined, model: undefined };
}

/** Whose model a name without a provider is, as far as names tell. */
function providerOf(model: string): string | undefined {
  try {
    return parseReference(model).provider;
  } catch {
    return undefined;
  }
}

/** What the session was set to together belongs together; another name goes where it says, or to the same provider. */
function ownerOf(
  model: string,
  stored: { readonly provider: string | undefined },
  asked: string | undefined,
): string | undefined {
  const keeps = stored.provider === AGENT_SDK || (stored.provider !== undefined && asked === undefined);
  if (keeps) return stored.provider;
  return providerOf(model) ?? stored.provider;
}
