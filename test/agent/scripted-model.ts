import type { OpenedModel } from '../../src/models/index.ts';

type LanguageModel = OpenedModel['languageModel'];
type CallOptions = Parameters<LanguageModel['doStream']>[0];
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer P> ? P : never;

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
}

/** One answer of a scripted model. */
export interface Scripted {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly finish?: 'stop' | 'length' | 'tool-calls';
  /** Stops in the middle, before the end of the text: for good, with an error, or until the call is aborted. */
  readonly accident?: 'error' | 'hang';
  /** Called once the first half is out: an interrupt can be timed by it. */
  readonly onHalf?: () => void | Promise<void>;
  /** The request fails before anything comes. */
  readonly error?: unknown;
}

export interface ScriptedModel extends OpenedModel {
  readonly requests: CallOptions[];
}

export type Script = readonly Scripted[] | ((request: CallOptions, index: number) => Scripted);

/** A model that answers by a list, or by a rule that looks at the request. */
export function scriptedModel(
  script: Script,
  { window = 200_000, output = 8_000, id = 'compatible:scripted' } = {},
): ScriptedModel {
  const requests: CallOptions[] = [];
  const next = (request: CallOptions): Scripted => {
    requests.push(request);
    const scripted =
      typeof script === 'function' ? script(request, requests.length - 1) : script[requests.length - 1];
    if (!scripted) throw new Error(`the script has no answer for request ${requests.length}`);
    return scripted;
  };
  const languageModel: LanguageModel = {
    specificationVersion: 'v4',
    provider: 'compatible',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('nobody asks without a stream');
    },
    async doStream(request) {
      const scripted = next(request);
      if (scripted.error !== undefined) throw scripted.error;
      return { stream: ReadableStream.from(parts(scripted, request.abortSignal)) };
    },
  };
  return {
    id,
    provider: 'compatible',
    model: 'scripted',
    languageModel,
    limits: { window, output, source: 'declared' },
    requests,
  };
}

async function* parts(scripted: Scripted, signal: AbortSignal | undefined): AsyncGenerator<StreamPart> {
  const { text = '', reasoning, calls = [], usage = { input: 100, output: 10 } } = scripted;
  yield { type: 'stream-start', warnings: [] };
  if (reasoning !== undefined) {
    yield { type: 'reasoning-start', id: 'r' };
    yield { type: 'reasoning-delta', id: 'r', delta: reasoning };
    yield { type: 'reasoning-end', id: 'r', providerMetadata: { compatible: { signature: 'signed' } } };
  }
  if (text !== '') {
    const half = Math.ceil(text.length / 2);
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: text.slice(0, half) };
    await scripted.onHalf?.();
    if (scripted.accident) yield* breakOff(scripted.accident, signal);
    if (scripted.accident) return;
    yield { type: 'text-delta', id: 't', delta: text.slice(half) };
    yield { type: 'text-end', id: 't' };
  }
  for (const { id, name, input = {} } of calls) {
    yield {
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    };
  }
  const unified = scripted.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop');
  yield { type: 'finish', finishReason: { unified, raw: undefined }, usage: reported(usage) };
}

async function* breakOff(
  kind: NonNullable<Scripted['accident']>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPart> {
  if (kind === 'error') {
    yield { type: 'error', error: Object.assign(new Error('cut'), { statusCode: 200 }) };
    yield {
      type: 'finish',
      finishReason: { unified: 'error', raw: undefined },
      usage: reported({ input: 0, output: 0 }),
    };
    return;
  }
  await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), {
      once: true,
    });
  });
}

function reported({
  input,
  output,
}: {
  input: number;
  output: number;
}): Extract<StreamPart, { type: 'finish' }>['usage'] {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

/** An error as a provider's package throws it. */
export function apiError(
  statusCode: number,
  message: string,
  responseHeaders: Record<string, string> = {},
): Error {
  return Object.assign(new Error(message), {
    name: 'AI_APICallError',
    statusCode,
    responseHeaders,
    isRetryable: false,
  });
}
