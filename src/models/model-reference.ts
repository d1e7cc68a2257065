import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { Settings } from '../record/index.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';

export interface ModelReference {
  readonly provider: ProviderName;
  readonly model?: string;
  /** Only typed with `compatible`, as in `compatible:qwen3@http://127.0.0.1:1234/v1`. */
  readonly baseUrl?: string;
}

/** A model by two names, each of which may be left out. */
export interface ModelNames {
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

/** Fields of a model that is handed over itself: one that was chosen, one that was opened, one of the AI SDK. */
const MODEL_FIELDS = ['because', 'languageModel', 'specificationVersion'];

/** The names of a model that is asked for, both left out if none is; `undefined` for a model that is handed over itself. */
export function namesIn(asked: unknown): ModelNames | undefined {
  if (asked === undefined || asked === null) return {};
  if (typeof asked === 'string') return { model: asked };
  if (typeof asked !== 'object') throw noModel(asked);
  if (MODEL_FIELDS.some((field) => field in asked)) return undefined;
  const { provider, model } = asked as ModelNames;
  const namesNone = provider === undefined && model === undefined;
  if (namesNone && Object.keys(asked).some((name) => name !== 'provider' && name !== 'model'))
    throw noModel(asked);
  return { provider, model };
}

function noModel(asked: unknown): ThroughlineError {
  const said =
    typeof asked === 'object' && asked !== null ? `{ ${Object.keys(asked).join(', ')} }` : String(asked);
  return new ThroughlineError(
    'usage',
    `${said} is no model. Give "provider:model", { provider, model }, or a model of the AI SDK.`,
  );
}

/** Providers as other programs call them. */
const PROVIDER_ALIASES: Readonly<Record<string, ProviderName>> = {
  claude: 'anthropic',
  gemini: 'google',
  'openai-compatible': 'compatible',
};

/** Keeps its own context, and is continued by its own session id. Only the RPC server runs it. */
export const AGENT_SDK = 'agent-sdk';

const NO_AGENT_SDK = 'The agent SDK is not run here, so it cannot answer as';

export function isAgentSdk(reference: string): boolean {
  return knownProvider(reference.split(':', 1)[0]!) === AGENT_SDK;
}

/** Whose model a bare name is, as far as names tell. */
const FAMILIES: readonly (readonly [RegExp, ProviderName])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:ft:|gpt-|chatgpt-|o\d(?:-|$))/, 'openai'],
  [/^gemini-/, 'google'],
];

/** Reads `provider:model`, `provider`, or a model whose name says whose it is. */
export function parseReference(text: string): ModelReference {
  if (typeof text !== 'string') throw noModel(text);
  const reference = text.trim();
  if (reference === '')
    throw new ThroughlineError('model-unknown', 'The name of the model is empty. Give "provider:model".', {
      details: { reference },
    });
  const colon = reference.indexOf(':');
  const head = colon < 0 ? reference : reference.slice(0, colon);
  const provider = knownProvider(head);
  if (provider !== undefined && provider !== AGENT_SDK)
    return withModel(provider, colon < 0 ? '' : reference.slice(colon + 1));

  const family = FAMILIES.find(([pattern]) => pattern.test(reference));
  if (family) return { provider: family[1], model: reference };
  const why = provider === AGENT_SDK ? NO_AGENT_SDK : 'No provider is known for the model';
  throw new ThroughlineError('model-unknown', `${why} "${reference}". ${advice(reference)}`, {
    details: { reference },
  });
}

/** The text that names this model again: `parseReference(referenceText(r))` is `r`. */
export function referenceText({ provider, model, baseUrl }: ModelReference): string {
  return `${provider}${model ? `:${model}` : ''}${baseUrl ? `${model ? '' : ':'}@${baseUrl}` : ''}`;
}

/** The model that the session is set to, as text; whether it can be used here is another question. */
export function rememberedReference(settings: Settings): string | undefined {
  return referenceOf(settings.provider || undefined, settings.model || undefined);
}

/**
 * The model that is asked for. A provider alone means the session's model of that provider, or the provider's default; a
 * model alone goes to the provider that its name tells, or to the session's. `undefined` if neither is named. `agentSdk`:
 * false where the agent SDK cannot be run, so that a session of it can be answered by a model whose name tells its provider.
 */
export function askedReference(
  settings: Settings,
  { provider, model }: ModelNames,
  { agentSdk = false }: { readonly agentSdk?: boolean } = {},
): string | undefined {
  if (provider == null && model == null) return undefined;
  const own = model == null ? undefined : providerIn(model);
  if (own !== undefined && provider != null && own !== providerName(provider))
    throw twoProviders(model!, provider);
  if (own !== undefined) return model!;
  const known = sessionProvider(settings);
  if (provider != null) {
    const name = providerName(provider);
    return model == null && name === known
      ? rememberedReference(settings)
      : referenceOf(name, model ?? undefined);
  }
  if (agentSdk && known === AGENT_SDK) return referenceOf(known, model!);
  return providerTold(model!) === undefined ? referenceOf(known, model!) : model!;
}

/**
 * What a session that is set to a model keeps: both names, so that they do not contradict each other and every face reads the same
 * model from them. `null` clears a name, and one that stays as it is is left out. A name that no provider is known for is
 * `model-unknown`; nothing is opened.
 */
export function modelSettings(
  { provider, model }: ModelNames,
  known: Settings = {},
): { readonly provider?: string | null; readonly model?: string | null } {
  const kept = provider === null ? {} : known;
  const reference = askedReference(kept, { provider, model }, { agentSdk: true });
  if (reference === undefined)
    return { ...(provider === null && { provider }), ...(model === null && { model }) };
  const meant = isAgentSdk(reference) ? { provider: AGENT_SDK } : parseReference(reference);
  const name = provider == null ? meant.provider : providerName(provider);
  // `anthropic` alone names no model. Nor may a model of another provider stay beside a new one: messages would go to that.
  const isBare = model != null && reference === model && meant.provider !== AGENT_SDK && !('model' in meant);
  const goes = model === undefined && known.model !== undefined && !fitsProvider(known.model, name);
  return {
    ...(name !== known.provider && { provider: name }),
    ...(isBare || goes ? { model: null } : model !== undefined && { model }),
  };
}

function withModel(provider: ProviderName, rest: string): ModelReference {
  // Model names hold colons, slashes and at signs; an address is what follows the last "@http".
  const at = provider === 'compatible' ? rest.search(/@https?:\/\/(?!.*@https?:\/\/)/) : -1;
  const model = (at < 0 ? rest : rest.slice(0, at)).trim();
  return {
    provider,
    ...(model && { model }),
    ...(at >= 0 && { baseUrl: rest.slice(at + 1) }),
  };
}

function advice(reference: string): string {
  if (isAgentSdk(reference))
    return 'It answers in an RPC server that runs agents, and with the package @anthropic-ai/claude-agent-sdk beside Throughline. Name another model.';
  const [maker = '', ...name] = reference.split('/');
  if (isProviderName(maker) && name.length > 0) return `Did you mean "${maker}:${name.join('/')}"?`;
  const providers = Object.keys(PROVIDERS).join(', ');
  const [head, tag] = reference.split(':');
  if (tag !== undefined)
    return `"${head}" is no provider; there are ${providers}. If that is the whole name of a model, put its provider in front: "ollama:${reference}".`;
  return `Put the provider in front, as in "ollama:${reference}"; there are ${providers}.`;
}

function isProviderName(text: string): text is ProviderName {
  return Object.hasOwn(PROVIDERS, text);
}

/** The name of a provider, also of one that is called by an alias. */
function providerName(provider: string): string {
  const name = knownProvider(provider);
  if (name !== undefined) return name;
  const known = [...Object.keys(PROVIDERS), AGENT_SDK].join(', ');
  throw new ThroughlineError('model-unknown', `No provider "${provider}"; there are ${known}.`, {
    details: { reference: provider },
  });
}

/** The provider that the name of a model begins with, as in `openai:gpt-6`. */
function providerIn(model: string): string | undefined {
  const colon = model.indexOf(':');
  return colon <= 0 ? undefined : knownProvider(model.slice(0, colon));
}

/** The provider that a name stands for, in either case. Names are anything that a person or a file says, also `constructor`. */
function knownProvider(name: string): ProviderName | typeof AGENT_SDK | undefined {
  const plain = name.trim().toLowerCase();
  const provider = Object.hasOwn(PROVIDER_ALIASES, plain) ? PROVIDER_ALIASES[plain]! : plain;
  return provider === AGENT_SDK || isProviderName(provider) ? provider : undefined;
}

function referenceOf(provider: string | undefined, model: string | undefined): string | undefined {
  if (model === undefined) return provider;
  return provider === undefined || namesProvider(model, provider) ? model : `${provider}:${model}`;
}

/**
 * Whether the name of a model begins with a provider, which may be none that is known here: `openrouter:x` is no model of
 * Anthropic's. `qwen3:8b` is one where names have colons.
 */
function namesProvider(model: string, provider: string): boolean {
  if (providerIn(model) !== undefined) return true;
  const name = knownProvider(provider);
  if (name === undefined || name === AGENT_SDK || !model.includes(':')) return false;
  const { colons }: Provider = PROVIDERS[name];
  return !colons && providerTold(model) === undefined;
}

/** Whether a model may be one of the provider: its name tells no other one. */
function fitsProvider(model: string, provider: string): boolean {
  return providerIn(model) === provider || !namesProvider(model, provider);
}

function twoProviders(model: string, provider: string): ThroughlineError {
  return new ThroughlineError(
    'model-unknown',
    `The model "${model}" is not one of the provider "${provider}": name the provider once.`,
    { details: { reference: model } },
  );
}

/** The provider of the model that the session is set to, which may follow from the name of that model alone. */
function sessionProvider(settings: Settings): string | undefined {
  const reference = rememberedReference(settings);
  if (reference === undefined) return undefined;
  return isAgentSdk(reference) ? AGENT_SDK : providerTold(reference);
}

/** The provider that a reference names or that the name of its model tells. */
function providerTold(reference: string): ProviderName | undefined {
  try {
    return parseReference(reference).provider;
  } catch (error) {
    if (isThroughlineError(error, 'model-unknown')) return undefined;
    throw error;
  }
}
