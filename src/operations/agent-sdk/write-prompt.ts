import { digestEntries } from '../../compaction/index.ts';
import { buildContext, type ContextState, labelRecord, NO_BEGINNING } from '../../context/index.ts';
import { type Entry, newEntryId } from '../../record/index.ts';
import { type AnyPart, type SayOptions, sayMessage } from '../../text/index.ts';

export interface History extends Pick<ContextState, 'frontier' | 'pinned' | 'marks'> {
  /** The name of the history in its label. */
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
  const history = [...(instructions === '' ? [] : [`system: ${instructions}`]), ...lines].join('\n\n');
  return history === '' ? asked : `${labelRecord(newEntryId(), of, history)}\n\n${asked}`;
}

const WORDING: SayOptions = {
  call: ({ name, input }) => `(calls ${name} ${input})`,
  result: ({ name, output }) => `(${name} gave ${output})`,
  file: ({ type }) => `[${type}]`,
  other: (type) => `[${type}]`,
};

function textOf(parts: readonly AnyPart[]): string {
  return sayMessage({ parts }, WORDING).toWellFormed();
}
