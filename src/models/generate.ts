import type { FinishReason, LanguageModel, LanguageModelUsage, ModelMessage } from 'ai';
import type { ZodType } from 'zod';
import { ThroughlineError } from '../errors.ts';
import type { Usage } from '../record/index.ts';
import { explainModelError } from './explain-model-error.ts';
import { type OpenedModel, readUsage } from './open-model.ts';
import { wrapModel } from './wrap-model.ts';

interface GenerateOptions<T = unknown> {
  /** One of ours, or any that the AI SDK can call. */
  readonly model: OpenedModel | LanguageModel;
  readonly instructions?: string | undefined;
  readonly messages: readonly ModelMessage[];
  /** Never left to the provider: for models it does not know, the SDK would ask for the most there is. */
  readonly maxOutputTokens: number;
  /** Asks for an answer in this shape, where the provider can. */
  readonly schema?: ZodType<T> | undefined;
  /** For the whole call, with everything that is tried again. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How often a busy or failing provider is asked again; its wish to wait is heeded. Default 2. */
  readonly maxRetries?: number | undefined;
}

interface Generated<T = unknown> {
  readonly text: string;
  /** Absent without a schema, and when the answer does not fit it: the text is paid for and stays. */
  readonly object?: T;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  readonly durationMs: number;
}

/** One call, without tools and without a stream. Fails with one of our codes, whatever the SDK throws. */
export async function generate<T = unknown>(options: GenerateOptions<T>): Promise<Generated<T>> {
  const { model, timeoutMs, signal } = options;
  const opened = isOpened(model) ? model : undefined;
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(new DOMException('Out of time.', 'TimeoutError')), timeoutMs);
  const start = performance.now();
  try {
    const { text, object, usage, finishReason } = await ask(options, {
      model: opened?.languageModel ?? quiet(model as LanguageModel),
      abortSignal: signal ? AbortSignal.any([signal, clock.signal]) : clock.signal,
    });
    return {
      text,
      ...(object !== undefined && { object: object as T }),
      usage: readUsage(usage, opened?.price),
      finishReason,
      durationMs: Math.round(performance.now() - start),
    };
  } catch (error) {
    // The reason of an abort can be anything, so the error itself does not tell.
    if (signal?.aborted && !clock.signal.aborted && signal.reason?.name !== 'TimeoutError') {
      throw new ThroughlineError('cancelled', 'The answer was stopped.', { cause: signal.reason });
    }
    throw explainModelError(error, opened, clock.signal.aborted ? { timeoutMs } : {});
  } finally {
    clearTimeout(timer);
  }
}

interface Answer {
  readonly text: string;
  readonly object?: unknown;
  readonly usage: LanguageModelUsage;
  readonly finishReason: FinishReason;
}

async function ask(
  { instructions, messages, maxOutputTokens, maxRetries = 2, schema }: GenerateOptions,
  call: { model: LanguageModel; abortSignal: AbortSignal },
): Promise<Answer> {
  const { generateText, NoObjectGeneratedError, Output } = await import('ai');
  const asked = {
    ...call,
    ...(instructions !== undefined && { instructions }),
    messages: [...messages],
    maxOutputTokens,
    maxRetries,
  };
  if (!schema) return await generateText(asked);
  try {
    const result = await generateText({ ...asked, output: Output.object({ schema }) });
    const { text, usage, finishReason } = result;
    // An answer without any text has no output, and the SDK throws when it is asked for.
    return { text, usage, finishReason, ...(text !== '' && { object: result.output }) };
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error) || !error.usage) throw error;
    const { text = '', usage, finishReason = 'other' } = error;
    return { text, usage, finishReason };
  }
}

const isOpened = (model: OpenedModel | LanguageModel): model is OpenedModel =>
  typeof model === 'object' && 'languageModel' in model;

const quiet = (model: LanguageModel): LanguageModel =>
  typeof model === 'object' && model.specificationVersion === 'v4' ? wrapModel(model) : model;
