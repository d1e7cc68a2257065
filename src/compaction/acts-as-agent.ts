import type { Entry, Summary } from '../record/index.ts';
import { transcriptText } from './transcript-text.ts';
import { writtenLines } from './written-lines.ts';

const TAG = /<\/?(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b/g;
/** A line that begins like a call: a tag with nothing or arguments behind it, or the JSON of one. */
const CALL =
  /^[ \t>*-]*(?:<(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b[^>\n]*>\s*(?:$|[<{[])|\{\s*"(?:tool|name|function)"\s*:).*/gm;

/**
 * Whether a model went on with the conversation instead of telling of it: it wrote a tool call of its own. People talk
 * about such tags and files are full of them, so what the entries say may be quoted.
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
