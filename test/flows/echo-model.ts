import type { ModelChoice } from 'throughline';

/** A model that says what it was asked last. */
export function echoModel(): ModelChoice {
  return {
    specificationVersion: 'v4',
    provider: 'echo',
    modelId: 'echo',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('turns are streamed')),
    async doStream({ prompt }) {
      const asked = prompt.at(-1)!;
      const said = Array.isArray(asked.content) ? asked.content : [];
      const question = said.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return {
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          { type: 'text-start' as const, id: '1' },
          { type: 'text-delta' as const, id: '1', delta: `Answer to ${question}` },
          { type: 'text-end' as const, id: '1' },
          {
            type: 'finish' as const,
            finishReason: { unified: 'stop' as const, raw: undefined },
            usage: {
              inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 5, text: 5, reasoning: undefined },
            },
          },
        ]),
      };
    },
  };
}
