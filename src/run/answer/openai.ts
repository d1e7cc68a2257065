import type { ModelMessage, SystemModelMessage } from 'ai';
import type { BuiltContext } from '../../context/index.ts';
import type { MarkedCall } from './anthropic.ts';

// What OpenAI alone wants said with a call.

const MARK = { openai: { promptCacheBreakpoint: { mode: 'explicit' } } } as const;

/**
 * The call with marks for models that keep what was read up to marked places alone, and up to the end of the newest message.
 * What was recalled stands before the newest question and changes with it, so the end of one request is in no later one. Marks that
 * earlier requests set are repeated: what is kept is found there again, and only the newest three are written. An assistant's
 * message takes none.
 */
export function markBreakpoints(call: MarkedCall, { seams }: Pick<BuiltContext, 'seams'>): MarkedCall {
  const { messages, instructions } = call;
  const ends = breakpointsIn(messages, seams);
  return {
    ...call,
    ...(typeof instructions === 'string' && { instructions: systemOf(instructions) }),
    messages: messages.map((message, at) => (ends.has(at) ? marked(message) : message)),
  };
}

/** Which messages are marked at their end. */
export function breakpointsIn(
  messages: readonly { readonly role: string }[],
  { records, turn, end = messages.length }: BuiltContext['seams'],
): ReadonlySet<number> {
  const asked = (before: number) => messages.findLastIndex(({ role }, at) => at < before && role === 'user');
  const answered = messages.findLastIndex(({ role }, at) => at < end && role === 'assistant');
  return new Set([records, asked(turn), turn, answered, end].map((before) => takesMark(messages, before)));
}

/** The newest message before one that takes a mark; -1 for none. */
function takesMark(messages: readonly { readonly role: string }[], before: number): number {
  return messages.findLastIndex(({ role }, at) => at < before && (role === 'user' || role === 'tool'));
}

function systemOf(content: string): SystemModelMessage {
  return { role: 'system', content, providerOptions: MARK };
}

function marked(message: ModelMessage): ModelMessage {
  const { content } = message;
  if (typeof content === 'string' || content.length === 0) return message;
  const parts = [...content] as { providerOptions?: { openai?: object } }[];
  const { providerOptions, ...last } = parts.pop()!;
  const openai = { ...providerOptions?.openai, ...MARK.openai };
  return {
    ...message,
    content: [...parts, { ...last, providerOptions: { ...providerOptions, openai } }],
  } as ModelMessage;
}
