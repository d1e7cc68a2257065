import type { BuiltContext } from '../../context/index.ts';
import type { Entry } from '../../record/index.ts';
import { answerNotes } from './answer-notes.ts';

/**
 * Whether the request goes on from the last one that this model answered, and if not, what is different: a provider's
 * cache ends there. `undefined` if it does, or if nobody can tell.
 */
export function prefixChange(
  { prefix, tokens }: Pick<BuiltContext, 'prefix' | 'tokens'>,
  frontier: readonly Entry[],
  model: string,
): { readonly part: 'head' | 'messages'; readonly tokens: number } | undefined {
  const last = frontier.findLast(({ body }) => body.kind === 'message' && body.model === model);
  const sent = last && answerNotes(last).prefix;
  if (!sent) return undefined;
  if (prefix[0] !== sent.head) return { part: 'head', tokens };
  return prefix[sent.messages] === sent.all ? undefined : { part: 'messages', tokens };
}

/** Up to the newest question and what was recalled for it: from there on every request is another one. */
export function prefixNote({ prefix, messages, recalled }: BuiltContext): {
  head: string;
  all: string;
  messages: number;
} {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const stable = Math.max(0, recalled.length > 0 ? question - 1 : question);
  return { head: prefix[0]!, all: prefix[stable]!, messages: stable };
}
