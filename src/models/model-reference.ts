import { ThroughlineError } from '../errors.ts';
import { PROVIDERS, type ProviderName } from './providers.ts';

export interface ModelReference {
  readonly provider: ProviderName;
  readonly model?: string;
  /** Only typed with `compatible`, as in `compatible:qwen3@http://127.0.0.1:1234/v1`. */
  readonly baseUrl?: string;
}

/** Providers as other programs call them. */
export const PROVIDER_ALIASES: Readonly<Record<string, ProviderName>> = {
  claude: 'anthropic',
  gemini: 'google',
  'openai-compatible': 'compatible',
};

/** Whose model a bare name is, as far as names tell. */
const FAMILIES: readonly (readonly [RegExp, ProviderName])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:gpt-|chatgpt-|o\d(?:-|$))/, 'openai'],
  [/^gemini-/, 'google'],
];

/** Reads `provider:model`, `provider`, or a model whose name says whose it is. */
export function parseReference(text: string): ModelReference {
  const reference = text.trim();
  const colon = reference.indexOf(':');
  const head = colon < 0 ? reference : reference.slice(0, colon);
  const provider = isProviderName(head) ? head : PROVIDER_ALIASES[head];
  if (provider) return withModel(provider, colon < 0 ? '' : reference.slice(colon + 1));

  const family = FAMILIES.find(([pattern]) => pattern.test(reference));
  if (family) return { provider: family[1], model: reference };
  throw new ThroughlineError(
    'model-unknown',
    `No provider is known for the model "${reference}". ${advice(reference)}`,
    {
      details: { reference },
    },
  );
}

/** The text that names this model again: `parseReference(referenceText(r))` is `r`. */
export function referenceText({ provider, model, baseUrl }: ModelReference): string {
  return `${provider}${model ? `:${model}` : ''}${baseUrl ? `${model ? '' : ':'}@${baseUrl}` : ''}`;
}

function withModel(provider: ProviderName, rest: string): ModelReference {
  // Model names hold colons, slashes and at signs of their own; an address is what follows the last "@http".
  const at = provider === 'compatible' ? rest.search(/@https?:\/\/(?!.*@https?:\/\/)/) : -1;
  const model = (at < 0 ? rest : rest.slice(0, at)).trim();
  return {
    provider,
    ...(model && { model }),
    ...(at >= 0 && { baseUrl: rest.slice(at + 1) }),
  };
}

function advice(reference: string): string {
  const [maker = '', ...name] = reference.split('/');
  if (isProviderName(maker) && name.length > 0) return `Did you mean "${maker}:${name.join('/')}"?`;
  const providers = Object.keys(PROVIDERS).join(', ');
  return `Put the provider in front, as in "ollama:${reference}"; there are ${providers}.`;
}

function isProviderName(text: string): text is ProviderName {
  return Object.hasOwn(PROVIDERS, text);
}
