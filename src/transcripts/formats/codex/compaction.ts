import { fieldsOf, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { FoundCompaction } from '../../transcript.ts';
import { CODEX_FORMAT } from './items.ts';
import { isHumanItem } from './line-kind.ts';

/** How a summary begins by which Codex tells it from what a person wrote, when it compacts again. */
const OPENING =
  'Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:\n';

/** A compaction as Codex writes it: the summary alone is sent on in place of everything before it. */
export function codexCompaction(text: string): Fields {
  const message = OPENING + text;
  const content = [{ type: 'input_text', text: message }];
  return { message, replacement_history: [{ type: 'message', role: 'user', content }] };
}

/**
 * A compaction of Codex. Newer ones are encrypted, so their text cannot be had; what Codex kept beside it, the person's
 * own messages, stands in for it.
 */
export function compactionOf(line: Fields, n: number): FoundCompaction | undefined {
  const payload = fieldsOf(line.payload);
  const { message } = payload;
  if (typeof message !== 'string') return undefined;
  const opened = message.startsWith(OPENING);
  const text = opened ? message.slice(OPENING.length) : message;
  const rest = text === '' ? payload : { ...payload, message: opened ? OPENED : 'text' };
  return {
    kind: 'found-compaction',
    text: text === '' ? standIn(payload) : text,
    meta: { [CODEX_FORMAT]: { n, line: { ...line, payload: rest } } },
  };
}

const OPENED = 'opened text';

/** The line again, from what a compaction carries. */
export function compactionLine(carried: unknown, text: string): { n: number; line: Fields } | undefined {
  const { n, line } = fieldsOf(carried);
  if (typeof n !== 'number') return undefined;
  const whole = fieldsOf(line);
  const payload = fieldsOf(whole.payload);
  const { message } = payload;
  if (message !== 'text' && message !== OPENED) return { n, line: whole };
  const written = message === OPENED ? OPENING + text : text;
  return { n, line: { ...whole, payload: { ...payload, message: written } } };
}

function standIn({ replacement_history }: Fields): string {
  const history = Array.isArray(replacement_history) ? replacement_history.map(fieldsOf) : [];
  const asked = history
    .filter((item) => item.type === 'message' && item.role === 'user' && isHumanItem(item))
    .map(({ content }) => textOf(fieldsOf(Array.isArray(content) ? content[0] : undefined).text)?.trim())
    .filter(Boolean);
  const known = asked.map((text) => `\n- ${text!.replace(/\s+/g, ' ')}`).join('');
  return `Codex keeps its summary of this part encrypted, so only Codex can read it. The originals can be expanded.${
    known && `\nWhat the user had asked:${known}`
  }`;
}
