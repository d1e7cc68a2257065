import type { Message, Part } from '../../../record/index.ts';
import { fieldsOf, isFields } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import { toClaudeBlock } from './blocks.ts';

// A message keeps the lines it came from in its meta, all but the content: that is its parts. In place of the content
// stands how many blocks it had, or "text" if it was plain text.

export const CLAUDE_CODE_FORMAT = 'claude-code';

export function carryMeta(lines: readonly Fields[]): Record<string, unknown> {
  return { [CLAUDE_CODE_FORMAT]: { lines: lines.map(withoutContent) } };
}

function withoutContent(line: Fields): Fields {
  const message = fieldsOf(line.message);
  const { content } = message;
  return { ...line, message: { ...message, content: Array.isArray(content) ? content.length : 'text' } };
}

/** The lines that a message came from, whole again; `undefined` if it came from elsewhere. */
export function linesToCarry({ parts, meta }: Pick<Message, 'parts' | 'meta'>): Fields[] | undefined {
  const { lines } = fieldsOf(meta?.[CLAUDE_CODE_FORMAT]);
  if (!Array.isArray(lines)) return undefined;
  let used = 0;
  return lines.filter(isFields).map((line) => {
    const message = fieldsOf(line.message);
    const count = message.content;
    const size = typeof count === 'number' ? count : 1;
    const own = parts.slice(used, used + size);
    used += size;
    return withContent(line, contentOf(own, count));
  });
}

function withContent(line: Fields, content: unknown): Fields {
  if (line.type !== 'attachment') return { ...line, message: { ...fieldsOf(line.message), content } };
  // A prompt that waited in the queue stands in an attachment, not in a message.
  const { message: _, ...rest } = line;
  return { ...rest, attachment: { ...fieldsOf(line.attachment), prompt: content } };
}

function contentOf(parts: readonly Part[], count: unknown): unknown {
  return typeof count === 'number' ? parts.map(toClaudeBlock) : parts[0]?.text;
}
