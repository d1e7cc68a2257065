import type { LanguageModelV4 } from './language-model.ts';
import { createOfflineModel } from './offline-model.ts';
import type { ProviderName } from './providers.ts';
import { wrapModel } from './wrap-model.ts';

export interface ModelConnection {
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
}: ModelConnection): Promise<LanguageModelV4> {
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

/**
 * A fetch for one provider. Answers that tell of a failure never repeat the key, so no error made from them can; and
 * a wait that Google puts into the body is put into the header that retries look at.
 */
export function guardFetch(fetch: typeof globalThis.fetch, key: string | undefined): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;

    const body = await response.text();
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    headers.delete('content-encoding');
    const wait = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
    if (wait !== undefined && !headers.has('retry-after')) headers.set('retry-after', wait);
    return new Response(key ? body.replaceAll(key, '[key]') : body, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
}
