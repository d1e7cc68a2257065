import { fieldsOf, textOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import type { FoundCompaction } from '../transcript.ts';
import { FORMAT } from './items.ts';
import { isHuman } from './line-kind.ts';

/**
 * A compaction of Codex. Newer ones are encrypted, so their text cannot be had; what Codex kept beside it, the person's
 * own messages, stands in for it.
 */
export function compactionOf(line: Fields, n: number): FoundCompaction | undefined {
  const payload = fieldsOf(line.payload);
  const { message } = payload;
  if (typeof message !== 'string') return undefined;
  const rest = message === '' ? payload : { ...payload, message: 'text' };
  return {
    kind: 'found-compaction',
    text: message === '' ? standIn(payload) : message,
    meta: { [FORMAT]: { n, line: { ...line, payload: rest } } },
  };
}

/** The line again, from what a compaction carries. */
export function compactionLine(carried: unknown, text: string): { n: number; line: Fields } | undefined {
  const { n, line } = fieldsOf(carried);
  if (typeof n !== 'number') return undefined;
  const whole = fieldsOf(line);
  const payload = fieldsOf(whole.payload);
  const { message } = payload;
  return { n, line: message === '' ? whole : { ...whole, payload: { ...payload, message: text } } };
}

function standIn({ replacement_history }: Fields): string {
  const history = Array.isArray(replacement_history) ? replacement_history.map(fieldsOf) : [];
  const asked = history
    .filter((item) => item.type === 'message' && item.role === 'user' && isHuman(item))
    .map(({ content }) => textOf(fieldsOf(Array.isArray(content) ? content[0] : undefined).text)?.trim())
    .filter(Boolean);
  const known = asked.map((text) => `\n- ${text!.replace(/\s+/g, ' ')}`).join('');
  return `Codex keeps its summary of this part encrypted, so only Codex can read it. The originals can be expanded.${
    known && `\nWhat the user had asked:${known}`
  }`;
}
