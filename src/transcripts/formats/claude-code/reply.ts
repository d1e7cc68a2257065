import type { Message, Usage } from '../../../record/index.ts';
import { countOf, fieldsOf, readTranscriptUsage, textOf, timeOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { FoundEntry } from '../../transcript.ts';
import { toClaudePart } from './blocks.ts';
import { carryMeta } from './carry.ts';

/** A reply of the model while its lines come in: several lines share one message id and repeat its usage. */
export interface Reply {
  readonly id: string;
  readonly lines: Fields[];
  readonly after: FoundEntry['after'];
  /** What followed its first line and does not belong to it. */
  held: FoundEntry[];
  /** How many lines, and how much of the held lines, have been given already. */
  given: { lines: number; held: number };
  /** Its usage, as far as its lines report it. */
  usage: Usage | undefined;
}

export function startReply(line: Fields, after: FoundEntry['after']): Reply {
  const { id } = fieldsOf(line.message);
  const name = typeof id === 'string' && id !== '' ? id : `line ${String(line.uuid)}`;
  return { id: name, lines: [line], after, held: [], given: { lines: 0, held: 0 }, usage: undefined };
}

export function belongsToReply(reply: Reply, line: Fields): boolean {
  const { id } = fieldsOf(line.message);
  return typeof id === 'string' && id !== '' && id === reply.id;
}

/** All lines of a reply as one message. The last line knows best what it used and how it ended. */
export function replyBody(reply: Reply, { counted }: { counted: Usage | undefined }): Message {
  const { lines } = reply;
  const blocks = lines.flatMap((line) => {
    const { content } = fieldsOf(line.message);
    return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as unknown[]);
  });
  const messages = lines.map((line) => fieldsOf(line.message));
  const model = messages.map((message) => textOf(message.model)).findLast((name) => name !== undefined);
  reply.usage = largestUsage(messages);
  const usage = difference(reply.usage, counted);
  const failed = lines.some((line) => line.isApiErrorMessage === true);
  return {
    kind: 'message',
    role: 'assistant',
    parts: blocks.map((block) => toClaudePart(block, () => undefined)),
    ...(failed && { status: 'interrupted' }),
    ...(model !== undefined && { model: `anthropic:${model}` }),
    ...(usage && { usage }),
    meta: carryMeta(lines),
  };
}

export function timeOfReply({ lines }: Reply): number | undefined {
  return timeOf(lines[0]?.timestamp);
}

/** Usage is repeated on every line and grows while the reply is streamed: the largest is the whole. */
function largestUsage(messages: readonly Fields[]): Usage | undefined {
  let largest: Usage | undefined;
  for (const { usage } of messages) {
    const counts = fieldsOf(usage);
    const read = countOf(counts.cache_read_input_tokens) ?? 0;
    const written = countOf(counts.cache_creation_input_tokens) ?? 0;
    const one = readTranscriptUsage({
      inputTokens: (countOf(counts.input_tokens) ?? 0) + read + written,
      outputTokens: counts.output_tokens,
      cacheReadTokens: read,
      cacheWriteTokens: written,
    });
    if (one && (!largest || one.outputTokens >= largest.outputTokens)) largest = one;
  }
  return largest;
}

/** What has not been counted yet, for a reply that goes on after something else was said. */
function difference(usage: Usage | undefined, counted: Usage | undefined): Usage | undefined {
  if (!usage || !counted) return usage;
  const outputTokens = Math.max(0, usage.outputTokens - counted.outputTokens);
  return outputTokens > 0 ? { inputTokens: 0, outputTokens } : undefined;
}
