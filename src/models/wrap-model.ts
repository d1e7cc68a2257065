import { joinQuestions } from './join-questions.ts';
import type { CallOptions, LanguageModelV4, StreamPart } from './language-model.ts';
import { mendStream } from './mend-stream.ts';

/**
 * The same model, with three differences, and a fourth where `alternate` says so: no user message follows another. The AI SDK
 * gets no warnings to print to the console of the host (its switch for that is global; this touches no other models). Provider
 * options of ours hold where the caller sets none. And a stream that breaks says so with an `error` part, whatever the provider
 * makes of it.
 */
export function wrapModel(
  model: LanguageModelV4,
  defaults: NonNullable<CallOptions['providerOptions']> = {},
  { alternate = false }: { readonly alternate?: boolean } = {},
): LanguageModelV4 {
  const withDefaults = (options: CallOptions): CallOptions => {
    const providerOptions = { ...options.providerOptions };
    for (const [provider, values] of Object.entries(defaults)) {
      providerOptions[provider] = { ...values, ...providerOptions[provider] };
    }
    return { ...options, providerOptions, ...(alternate && { prompt: joinQuestions(options.prompt) }) };
  };

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => ({ ...(await model.doGenerate(withDefaults(options))), warnings: [] }),
    async doStream(options) {
      const result = await model.doStream(withDefaults(options));
      return { ...result, stream: mendStream(result.stream).pipeThrough(withoutWarnings()) };
    },
  };
}

function withoutWarnings(): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      controller.enqueue(part.type === 'stream-start' ? { ...part, warnings: [] } : part);
    },
  });
}
