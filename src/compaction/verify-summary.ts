import { ThroughlineError } from '../errors.ts';
import { type Entry, mapLines, type Summary } from '../record/index.ts';
import { bareWords, renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { markUnknown } from './claims/mark-unknown.ts';
import { withoutInventions } from './claims/without-inventions.ts';
import { hasWords } from './has-words.ts';
import type { Summarised } from './summariser.ts';
import { transcriptText } from './transcript-text.ts';
import { writtenLines } from './written-lines.ts';

/** A summary that is not at least a fifth smaller than what it replaces is no progress. */
const MOST_OF_BEFORE = 0.8;

/** The most tokens that a summary may take of what it replaces. */
export function mostOfBefore(tokensBefore: number): number {
  return Math.floor(tokensBefore * MOST_OF_BEFORE);
}

/**
 * The summary without unsupported claims, or `summary-rejected` with the reason. The digest only quotes, so it is refused only
 * if it saves nothing.
 */
export function verifySummary(
  made: Summarised,
  {
    entries,
    tokensBefore,
    before,
  }: {
    entries: readonly Entry[];
    tokensBefore: number;
    /** What stands before the range: who wrote the summary knew that too. */
    before?: Summary;
  },
): Summary {
  const { by, writtenTokens = 0 } = made;
  const summary = by.kind === 'digest' ? made.summary : withoutFillers(made.summary);
  if (by.kind !== 'digest') {
    if (!hasWords(summary)) throw rejected('it is empty');
    refuseUnusable(made, entries);
    // The rest of it, once it fits, says little.
    if (writtenTokens > tokensBefore)
      throw rejected(`its ${writtenTokens} tokens are more than the ${tokensBefore} it replaces`);
  }
  const tokens = countText(renderSummary(summary));
  if (tokens > mostOfBefore(tokensBefore)) {
    throw rejected(`its ${tokens} tokens are more than 80 % of the ${tokensBefore} it replaces`);
  }
  const source = { entries, ...(before && { before }) };
  const believed = withoutInventions(summary, source);
  if (by.kind === 'digest') return believed;
  if (!hasWords(believed)) throw rejected('nothing in it is in the conversation');
  return markUnknown(believed, source);
}

/** Throws if no part of a summary may be like this: cut off, an answer instead of a record, tool calls. */
export function refuseUnusable(
  { summary, cutOff }: Pick<Summarised, 'summary' | 'cutOff'>,
  entries: readonly Entry[],
): void {
  if (cutOff) throw rejected('it was cut off before its end');
  if (answersInstead(summary)) throw rejected('it answers instead of telling what was said');
  if (actsAsAgent(summary, entries)) throw rejected('it is made of tool calls');
}

export function rejected(reason: string): ThroughlineError {
  return new ThroughlineError('summary-rejected', `The summary was not used: ${reason}.`, {
    details: { reason },
  });
}

/** What a model writes where it has nothing to say, or copies from the form that it was to fill in. */
const FILLER =
  /^[\s"'*_(<[{-]*(?:none|nothing(?: yet)?|no|n\/a|null|undefined|string|text|tbd|unknown|not (?:applicable|mentioned|specified)|keine?|nichts|aucune?|rien|ningun[oa]|nada|nenhum(?:a)?|nessun[oa]?|niente|нет|ничего|无|没有|なし|特になし|없음|해당 없음)?[\s"'*_)>\]}.。…!-]*$/iu;
const BLANK = /^(?:\[[^\]]* [^\]]*\]|<[^<>]+>|\{\{.*\}\})\.?$/;

/** A model's summary without lines that tell nothing, and each line once in its list. */
function withoutFillers(summary: Summary): Summary {
  return mapLines(summary, (lines) => {
    const said = new Set<string>();
    return lines.filter(({ text }) => {
      const key = bareWords(text);
      const tells = !FILLER.test(text) && !BLANK.test(text.trim()) && !said.has(key);
      said.add(key);
      return tells;
    });
  });
}

const TAG = /<\/?(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b/g;
/** A line that begins like a call: a tag with nothing or arguments behind it, or the JSON of one. */
const CALL =
  /^[ \t>*-]*(?:<(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b[^>\n]*>\s*(?:$|[<{[])|\{\s*"(?:tool|name|function)"\s*:).*/gm;

/**
 * True if a model went on with the conversation instead of telling of it: it wrote a tool call. Conversations and files are
 * full of such tags, so those that the entries hold may be quoted.
 */
function actsAsAgent(summary: Summary, entries: readonly Entry[]): boolean {
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
function answersInstead(summary: Summary): boolean {
  const { overview } = summary;
  return (
    overview.length <= LONGEST_ANSWER &&
    ANSWER.test(overview) &&
    !writtenLines(summary).some((line) => line.trim())
  );
}
