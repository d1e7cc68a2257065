import type { Entry, Summary } from '../record/index.ts';
import { transcriptText } from './transcript-text.ts';
import { writtenLines } from './written-lines.ts';

const TAG = /<\/?(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b/g;
/** A line that begins like a call: a tag with nothing or arguments behind it, or the JSON of one. */
const CALL =
  /^[ \t>*-]*(?:<(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b[^>\n]*>\s*(?:$|[<{[])|\{\s*"(?:tool|name|function)"\s*:).*/gm;

/**
 * True if a model went on with the conversation instead of telling of it: it wrote a tool call. Conversations and files are
 * full of such tags, so those that the entries hold may be quoted.
 */
export function actsAsAgent(summary: Summary, entries: readonly Entry[]): boolean {
  const texts = [summary.background, summary.overview, ...writtenLines(summary)];
  const found = texts.flatMap((text) =>
    [...text.matchAll(TAG), ...text.matchAll(CALL)].map(([match]) => match),
  );
  if (found.length === 0) return false;
  const source = transcriptText(entries);
  return found.some((match) => !source.includes(match.replace(/^[\s>*-]+/, '').trimEnd()));
}

/** How models refuse, or offer their help: what a record of a conversation does not begin with. */
const ANSWER =
  /^["“*\s]*(?:(?:sure|certainly|of course|absolutely|okay|ok|hello|hi)\b[!,.]|(?:i['’]?m|i am) (?:sorry|unable|not able|happy to|ready to|here to)|sorry\b|i apologi[sz]e|i (?:cannot|can['’]?t|can not|won['’]?t|will not) (?:help|assist|do|comply|provide|summari[sz]e|continue)|as an ai\b|how (?:can|may) i (?:help|assist)|what would you like|please (?:provide|share|paste)|es tut mir leid|entschuldigung|ich kann (?:dabei|dir|ihnen|das) |wie kann ich|je suis désolé|désolé|je ne peux pas|comment puis-je|lo siento|no puedo|¿?(?:cómo|en qué) puedo|desculpe|não posso|como posso|mi dispiace|non posso|come posso|извините|я не могу|чем (?:я )?могу|对不起|抱歉|很抱歉|我无法|请问|申し訳|すみません|お手伝い|죄송|도와드릴)/iu;
const LONGEST_ANSWER = 400;

/** True if a model answered instead of telling of the conversation: a refusal or an offer, and no line of any list. */
export function answersInstead(summary: Summary): boolean {
  const { overview } = summary;
  return (
    overview.length <= LONGEST_ANSWER &&
    ANSWER.test(overview) &&
    !writtenLines(summary).some((line) => line.trim())
  );
}
