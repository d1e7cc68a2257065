import type { StreamPart } from './language-model.ts';

/**
 * Providers end a broken stream in three ways: they throw, they send an `error` part, or they close as if all were said. This
 * makes one of it: what came through stays, an `error` part follows, and the stream ends. Only a call that was stopped still
 * throws, because the caller stopped it.
 */
export function mendStream(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
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
