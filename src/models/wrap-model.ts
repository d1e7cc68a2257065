import type { CallOptions, LanguageModelV4, Prompt, StreamPart } from './language-model.ts';

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

type UserMessage = Extract<Prompt[number], { role: 'user' }>;

/**
 * The prompt with user messages that follow each other as one. Chat templates of many servers (Mistral, Gemma, older Llama in
 * llama.cpp or vLLM) refuse a request whose roles do not alternate; records, recall and the question are separate messages.
 */
function joinQuestions(prompt: Prompt): Prompt {
  const joined: Prompt = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') joined[joined.length - 1] = join(last, message);
    else joined.push(message);
  }
  return joined;
}

/** Texts become one text: where nothing else is in a message, some servers take no list of parts. */
function join(one: UserMessage, other: UserMessage): UserMessage {
  const last = one.content.at(-1);
  const [first, ...rest] = other.content;
  const content =
    last?.type === 'text' && first?.type === 'text'
      ? [...one.content.slice(0, -1), { ...last, text: `${last.text}\n\n${first.text}` }, ...rest]
      : [...one.content, ...other.content];
  return { ...one, content };
}

/**
 * Providers end a broken stream in three ways: they throw, they send an `error` part, or they close as if all were said. This
 * makes one of it: what came through stays, an `error` part follows, and the stream ends. Only a call that was stopped still
 * throws, because the caller stopped it.
 */
function mendStream(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
  const reader = stream.getReader();
  let told = false;
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (value.type === 'finish' && value.finishReason.unified === 'interrupted' && !told) {
          controller.enqueue({ type: 'error', error: new StreamEndedEarly() });
        }
        told ||= value.type === 'error';
        controller.enqueue(value);
      } catch (error) {
        if (isStopped(error)) return controller.error(error);
        controller.enqueue({ type: 'error', error });
        controller.enqueue({
          type: 'finish',
          finishReason: { unified: 'error', raw: undefined },
          usage: NO_USAGE,
        });
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

class StreamEndedEarly extends Error {
  override readonly name = 'StreamEndedEarly';
  /** The answer began well, and HTTP noticed nothing. */
  readonly statusCode = 200;

  constructor() {
    super('The stream ended before the answer did.');
  }
}

const NO_USAGE: Extract<StreamPart, { type: 'finish' }>['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

const isStopped = (error: unknown) =>
  error instanceof Error && /^(?:Abort|Timeout|ResponseAborted)/.test(error.name);
