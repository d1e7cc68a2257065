import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';

export interface ReadStream {
  readonly text: string;
  readonly errors: readonly unknown[];
  readonly aborted: boolean;
  readonly finishReason: FinishReason | undefined;
  /** Of each step, in order. */
  readonly usages: readonly LanguageModelUsage[];
}

/** Reads what `streamText` sends to its end, and tells what came. */
export async function readStream(stream: AsyncIterable<TextStreamPart<ToolSet>>): Promise<ReadStream> {
  let text = '';
  let aborted = false;
  let finishReason: FinishReason | undefined;
  const errors: unknown[] = [];
  const usages: LanguageModelUsage[] = [];
  for await (const part of stream) {
    if (part.type === 'text-delta') text += part.text;
    else if (part.type === 'error') errors.push(part.error);
    else if (part.type === 'abort') aborted = true;
    else if (part.type === 'finish-step') usages.push(part.usage);
    else if (part.type === 'finish') finishReason = part.finishReason;
  }
  return { text, errors, aborted, finishReason, usages };
}
