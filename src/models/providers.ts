/**
 * The outside minds, as data: what each is called, where it lives, which variables of the environment speak for it and
 * which model it gives to people who name none.
 */
export interface Provider {
  /** As people call it, for messages. */
  readonly label: string;
  /** The first one that is set is sent. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly baseUrlVariables: readonly string[];
  readonly baseUrl?: string;
  /** Absent where only the server knows which models it has. */
  readonly defaultModel?: string;
  /** One that writes summaries for a small part of the price. */
  readonly cheaperModel?: string;
  /** True where names of models have colons, as `qwen3:8b` has. */
  readonly colons?: true;
}

export const PROVIDERS = {
  anthropic: {
    label: 'Anthropic',
    keyVariables: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    baseUrl: 'https://api.anthropic.com/v1',
    defaultModel: 'claude-sonnet-5-5',
    cheaperModel: 'claude-haiku-5-5',
  },
  openai: {
    label: 'OpenAI',
    keyVariables: ['OPENAI_API_KEY'],
    needsKey: true,
    baseUrlVariables: ['OPENAI_BASE_URL'],
    baseUrl: 'https://api.openai.com/v1',
    defaultModel: 'gpt-6.1-sol',
    cheaperModel: 'gpt-6-luna',
  },
  google: {
    label: 'Google',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    needsKey: true,
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    // The newest one that keys without a billing account may use too.
    defaultModel: 'gemini-3.8-flash',
    cheaperModel: 'gemini-3.5-flash-lite',
  },
  ollama: {
    label: 'Ollama',
    keyVariables: ['OLLAMA_API_KEY'],
    needsKey: false,
    baseUrlVariables: ['OLLAMA_HOST'],
    baseUrl: 'http://127.0.0.1:11434/v1',
    colons: true,
  },
  compatible: {
    label: 'the compatible server',
    keyVariables: ['THROUGHLINE_API_KEY', 'OPENAI_API_KEY'],
    needsKey: false,
    baseUrlVariables: ['THROUGHLINE_BASE_URL', 'OPENAI_BASE_URL'],
    colons: true,
  },
  offline: {
    label: 'the offline model',
    keyVariables: [],
    needsKey: false,
    baseUrlVariables: [],
    defaultModel: 'quotes',
  },
} as const satisfies Record<string, Provider>;
export type ProviderName = keyof typeof PROVIDERS;

/** A model of the same provider that writes summaries for a small part of the price, as `provider:model`. */
export function cheaperModel(provider: string): string | undefined {
  const known: Provider | undefined = Object.hasOwn(PROVIDERS, provider)
    ? PROVIDERS[provider as ProviderName]
    : undefined;
  return known?.cheaperModel && `${provider}:${known.cheaperModel}`;
}
