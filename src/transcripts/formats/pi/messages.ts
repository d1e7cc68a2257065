import type { Message, Part } from '../../../record/index.ts';
import { countOf, fieldsOf, isFields, readTranscriptUsage, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import { PI_FORMAT, toPiBlock, toPiPart } from './blocks.ts';

// A message keeps the record it came from in its meta, without the content: that is its parts. In place of the content
// stands how many blocks it had, or "text" if it was plain text. Where the parts are made up for our readers (a command
// the person ran, a prompt in sections) the record is kept whole.

/** The message that a record holds, or `undefined` if it holds none that is understood. */
export function toPiMessage(record: Fields): Message | undefined {
  const inner = record.type === 'message' ? record.message : record;
  if (!isFields(inner)) return undefined;
  switch (record.type === 'message' ? inner.role : record.type) {
    case 'user':
      return withContent(record, inner, 'user');
    case 'assistant':
      return withContent(record, inner, 'assistant');
    case 'custom_message':
    case 'custom':
    case 'hookMessage':
      return withContent(record, inner, 'system');
    case 'toolResult':
      return resultMessage(record, inner);
    case 'bashExecution':
      return madeUp(record, 'user', commandText(inner));
    case 'system':
      return madeUp(record, 'system', promptText(inner));
    case 'branch_summary':
    case 'branchSummary':
    case 'compactionSummary':
      return typeof inner.summary === 'string' ? madeUp(record, 'system', inner.summary) : undefined;
    default:
      return undefined;
  }
}

/** The record that a message came from, whole again; `undefined` if it came from elsewhere. */
export function carriedRecord({ role, parts, meta }: Message): Fields | undefined {
  const record = meta?.[PI_FORMAT];
  if (!isFields(record)) return undefined;
  const inner = record.type === 'message' ? fieldsOf(record.message) : record;
  const { content } = inner;
  const whole =
    record.type === 'message' && isFields(inner)
      ? roleKeepsAll(inner.role)
      : record.type === 'branch_summary';
  if (whole) return record;
  const words = role === 'tool' ? fieldsOf(parts[0]?.output).value : parts[0]?.text;
  const blocks = role === 'tool' ? resultBlocks(parts[0]) : parts.map(toPiBlock);
  const filled = { ...inner, content: typeof content === 'number' ? blocks : words };
  return record.type === 'message' ? { ...record, message: filled } : filled;
}

function roleKeepsAll(role: unknown): boolean {
  return !['user', 'assistant', 'toolResult', 'custom', 'hookMessage'].includes(String(role));
}

function withContent(record: Fields, inner: Fields, role: Message['role']): Message | undefined {
  const { content } = inner;
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined;
  const signer = textOf(inner.provider);
  const parts: Part[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : content.map((block) => toPiPart(block, { signer }));
  return {
    kind: 'message',
    role,
    parts,
    ...(role === 'assistant' && answerFacts(inner)),
    meta: carry(record, inner),
  };
}

function carry(record: Fields, inner: Fields): Record<string, unknown> {
  const { content } = inner;
  const emptied = { ...inner, content: Array.isArray(content) ? content.length : 'text' };
  return { [PI_FORMAT]: record.type === 'message' ? { ...record, message: emptied } : emptied };
}

function answerFacts({ provider, model, usage, stopReason }: Fields): Partial<Message> {
  const used = readPiUsage(usage);
  const stopped = stopReason === 'error' || stopReason === 'aborted';
  return {
    ...(stopped && { status: 'interrupted' }),
    ...(typeof model === 'string' && {
      model: typeof provider === 'string' ? `${provider}:${model}` : model,
    }),
    ...(used && { usage: used }),
  };
}

/** Their input is the uncached part; ours is all of it. */
export function readPiUsage(usage: unknown): Message['usage'] {
  const { input, output, cacheRead, cacheWrite, cost } = fieldsOf(usage);
  const cached = (countOf(cacheRead) ?? 0) + (countOf(cacheWrite) ?? 0);
  return readTranscriptUsage({
    inputTokens: (countOf(input) ?? 0) + cached,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    cost: fieldsOf(cost).total,
  });
}

function resultMessage(record: Fields, inner: Fields): Message | undefined {
  const { toolCallId, toolName, content, isError } = inner;
  if (typeof toolCallId !== 'string' || !(typeof content === 'string' || Array.isArray(content)))
    return undefined;
  const part: Part = {
    type: 'tool-result',
    toolCallId,
    toolName: textOf(toolName) ?? 'unknown',
    output: toOutput(content, isError === true),
    ...(isError === true && { isError: true }),
  };
  return { kind: 'message', role: 'tool', parts: [part], meta: carry(record, inner) };
}

/** One piece of text is the usual case and stays readable as such. */
function toOutput(content: string | readonly unknown[], failed: boolean): Fields {
  const [first, second] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const { type, text, ...more } = fieldsOf(first);
  if (second === undefined && type === 'text' && typeof text === 'string' && Object.keys(more).length === 0)
    return { type: failed ? 'error-text' : 'text', value: text };
  return { type: 'content', value: (content as readonly unknown[]).map((block) => toPiPart(block)) };
}

function resultBlocks(part: Part | undefined): unknown {
  const { type, value } = fieldsOf(part?.output);
  if (type === 'content' && Array.isArray(value)) return value.map(toPiBlock);
  return [{ type: 'text', text: value }];
}

function madeUp(record: Fields, role: Message['role'], text: string): Message {
  return { kind: 'message', role, parts: [{ type: 'text', text }], meta: { [PI_FORMAT]: record } };
}

function commandText({ command, output, exitCode, cancelled }: Fields): string {
  const end = cancelled === true ? 'cancelled' : typeof exitCode === 'number' ? `exit code ${exitCode}` : '';
  return [`Ran \`${textOf(command) ?? ''}\`${end ? ` (${end})` : ''}`, textOf(output) ?? '']
    .join('\n')
    .trimEnd();
}

function promptText({ content, sections }: Fields): string {
  const texts = [content, ...Object.values(fieldsOf(sections))].map((text) => textOf(text) ?? '');
  return texts.filter((text) => text !== '').join('\n\n');
}
