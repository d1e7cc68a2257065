import { digestEntries } from '../../compaction/index.ts';
import {
  buildContext,
  type ContextMessage,
  type ContextState,
  labelRecord,
  NO_BEGINNING,
} from '../../context/index.ts';
import { type Entry, newEntryId, type Part } from '../../record/index.ts';

export interface History extends Pick<ContextState, 'frontier' | 'pinned' | 'marks'> {
  /** What the history is, for its label. */
  readonly of: string;
  /** The most tokens that it may take. */
  readonly most: number;
}

/** The question, behind the history that the SDK does not hold. History over `most` is summarised or left out, and labelled so. */
export function writePrompt(question: Entry, { of, most, ...state }: History): string {
  const asked = textOf(question.body.kind === 'message' ? question.body.parts : []);
  if (state.frontier.length === 0) return asked;
  const { instructions, messages } = buildContext(
    { ...state, head: [] },
    { window: most, reserve: 1 },
    { digest: (entries, maxTokens) => digestEntries(entries, { maxTokens }) },
  );
  // The SDK holds the beginning, or there is none.
  const lines = messages
    .map(({ role, content }) => ({ role, text: textOf(content) }))
    .filter(({ text }) => text !== NO_BEGINNING)
    .map(({ role, text }) => `${role}: ${text}`);
  const told = [...(instructions === '' ? [] : [`system: ${instructions}`]), ...lines].join('\n\n');
  return told === '' ? asked : `${labelRecord(newEntryId(), of, told)}\n\n${asked}`;
}

function textOf(parts: readonly Part[] | ContextMessage['content']): string {
  return parts
    .map((part) => sayPart(part as Part))
    .filter((text) => text !== '')
    .join('\n')
    .toWellFormed();
}

function sayPart({ type, text, toolName, input, output }: Part): string {
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : '';
    case 'tool-call':
      return `(calls ${String(toolName)} ${JSON.stringify(input)})`;
    case 'tool-result': {
      const { value } = (output ?? {}) as { value?: unknown };
      return `(${String(toolName)} gave ${typeof value === 'string' ? value : JSON.stringify(value ?? output)})`;
    }
    case 'reasoning':
    case 'custom':
      return '';
    default:
      return `[${type}]`;
  }
}
