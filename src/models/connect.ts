import type { LanguageModelV4 } from './language-model.ts';
import { createOfflineModel } from './offline-model.ts';
import type { ProviderName } from './providers.ts';
import { wrapModel } from './wrap-model.ts';

export interface Connection {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** Loads the provider's package, and no other's. */
export async function connect({
  provider,
  model,
  baseUrl,
  key,
  fetch,
}: Connection): Promise<LanguageModelV4> {
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return wrapModel(createAnthropic({ apiKey: key!, baseURL: baseUrl, fetch })(model));
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Kept by OpenAI, earlier answers would be sent as ids, and a session would die with what they forget.
      return wrapModel(createOpenAI({ apiKey: key!, baseURL: baseUrl, fetch }).responses(model), {
        openai: { store: false },
      });
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return wrapModel(createGoogle({ apiKey: key!, baseURL: baseUrl, fetch })(model));
    }
    case 'ollama':
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const server = createOpenAICompatible({
        name: provider,
        baseURL: baseUrl,
        fetch,
        ...(key !== undefined && { apiKey: key }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return wrapModel(server(model), {}, { alternate: true });
    }
    case 'offline':
      return createOfflineModel();
  }
}
