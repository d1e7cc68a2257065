import { countText } from '../tokens/index.ts';
import type { CallOptions, GenerateResult, LanguageModelV4, Prompt, StreamPart } from './language-model.ts';
import { isAsking, isOffline, type Quote, quoteFromPrompt, splitQuestion } from './offline-quotes.ts';
import { PROVIDERS } from './providers.ts';

export interface OfflineModelOptions {
  /** Finds what is known about a question; by default in the conversation it is given, and nowhere else. */
  readonly quote?: (question: string, before: Prompt) => readonly Quote[] | Promise<readonly Quote[]>;
}

/**
 * The model of people who have connected none: it needs no key and no network, thinks nothing up, quotes what was
 * said, and says that it does. How to connect one it says once in a conversation.
 */
export function createOfflineModel({ quote = quoteFromPrompt }: OfflineModelOptions = {}): LanguageModelV4 {
  async function answer({ prompt, abortSignal }: CallOptions): Promise<GenerateResult> {
    abortSignal?.throwIfAborted();
    const { question, before } = splitQuestion(prompt);
    const text = phrase(await quote(question, before), { question, first: !before.some(isOffline) });
    abortSignal?.throwIfAborted();
    const read = countText(prompt.map(({ content }) => JSON.stringify(content)).join('\n'));
    const written = countText(text);
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: written, text: written, reasoning: undefined },
      },
      warnings: [],
    };
  }

  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: PROVIDERS.offline.defaultModel,
    supportedUrls: {},
    doGenerate: answer,
    doStream: async (options) => ({ stream: streamOf(await answer(options)) }),
  };
}

function phrase(quotes: readonly Quote[], { question, first }: { question: string; first: boolean }): string {
  const found = SOURCES.flatMap(([from, says]) => {
    const lines = quotes.filter((quote) => quote.from === from).map(({ who, text }) => `- ${who}: ${text}`);
    return lines.length > 0 ? [`${says}:\n\n${lines.join('\n')}`] : [];
  });
  const nothing = isAsking(question) ? 'This session says nothing about your question yet. ' : '';
  const said = found.length > 0 ? found.join('\n\n') : `${nothing}What you wrote is kept.`;
  if (!first) return `(offline) ${said}`;
  return `offline: no model is connected, so nobody has thought about this. ${said}\n\n${HOW_TO_CONNECT}`;
}

const SOURCES = [
  [undefined, 'Here is what this session says about your question'],
  ['project memory', "Here is what the project's memory says about it"],
  ['other sessions', 'Here is what other sessions of this project say about it'],
  ['work', 'Here is where the work stands'],
] as const satisfies readonly (readonly [Quote['from'], string])[];

/** True wherever it is read: in a chat, in the browser, in a program. */
const HOW_TO_CONNECT =
  'To connect a model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama and set OLLAMA_HOST, ' +
  'and start again. THROUGHLINE_MODEL names another, as in THROUGHLINE_MODEL=ollama:qwen3.';

function streamOf({ content, finishReason, usage }: GenerateResult): ReadableStream<StreamPart> {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const parts: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...text.split(/(?<=\n)/).map((delta): StreamPart => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason, usage },
  ];
  // The web app's types know no `ReadableStream.from`, and they are checked with this file.
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
