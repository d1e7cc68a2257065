import { ThroughlineError } from '../errors.ts';
import type { Entry, Summary, SummaryLine } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import type { Summarised } from './summariser.ts';

/** A summary that is not at least a fifth smaller than what it replaces is no progress. */
const MOST_OF_BEFORE = 0.8;
const TOOL_SYNTAX =
  /<\/?(?:tool_call|function_calls?|invoke|antml:[a-z_]+|tool_use)\b|^\s*\{\s*"(?:tool|name|function)"\s*:/m;
const ATTRIBUTED =
  /\b(?:the )?user (?:has )?(?:also )?(?:asked|requested|wants?|wanted|told|instructed|approved|agreed|confirmed|authori[sz]ed|allowed|permitted|said)\b/i;
const APPROVAL =
  /\b(?:approved|agreed|confirmed|authori[sz]ed|allowed|permitted|gave permission|signed off)\b/i;

/** The summary without what nobody said, or `summary-rejected` with the reason. */
export function verifySummary(
  { summary, cutOff }: Summarised,
  { entries, tokensBefore }: { entries: readonly Entry[]; tokensBefore: number },
): Summary {
  const text = renderSummary(summary);
  if (!saysSomething(summary)) throw rejected('it is empty');
  if (cutOff) throw rejected('it was cut off before its end');
  if (TOOL_SYNTAX.test(text)) throw rejected('it is made of tool calls');
  const tokens = countText(text);
  if (tokens > tokensBefore * MOST_OF_BEFORE) {
    throw rejected(`its ${tokens} tokens are more than 80 % of the ${tokensBefore} it replaces`);
  }
  return withoutInventions(summary, entries);
}

function saysSomething({
  overview,
  topics,
  decisions,
  completed,
  pending,
  blockers,
  facts,
}: Summary): boolean {
  const lines = [...topics, ...decisions, ...completed, ...pending, ...blockers, ...facts];
  return [overview, ...lines.map(({ text }) => text)].some((text) => /[\p{L}\p{N}]{2}/u.test(text));
}

/**
 * A line that says what the user asked for or agreed to must come from something a user said: by its source, or by its
 * words. Approvals are never inferred. Orders that a tool's output smuggled in end here.
 */
function withoutInventions(summary: Summary, entries: readonly Entry[]): Summary {
  const users = entries.filter(({ body }) => body.kind === 'message' && body.role === 'user');
  const said = new Map(users.map(({ id, body }) => [id, words(textOf(body))]));
  const inherited = entries.flatMap(({ body }) =>
    body.kind === 'compaction' || body.kind === 'merge' ? [words(renderSummary(body.summary))] : [],
  );
  const holds = ({ text, from }: SummaryLine) => {
    if (!ATTRIBUTED.test(text)) return true;
    const sources = from.flatMap((id) => said.get(id) ?? []);
    const believed = [...(sources.length > 0 ? sources : said.values()), ...inherited];
    return believed.some((spoken) => supports(spoken, text));
  };
  const clean = (lines: readonly SummaryLine[]) => lines.filter(holds);
  const sentences = summary.overview.split(/(?<=[.!?。！？])\s+/u).map((text) => ({ text, from: [] }));
  return {
    ...summary,
    overview: sentences.every(holds)
      ? summary.overview
      : sentences
          .filter(holds)
          .map(({ text }) => text)
          .join(' '),
    topics: clean(summary.topics),
    decisions: clean(summary.decisions),
    completed: clean(summary.completed),
    pending: clean(summary.pending),
    blockers: clean(summary.blockers),
    facts: clean(summary.facts),
  };
}

/** Most of what the line claims was said; an approval needs the word itself. */
function supports(spoken: ReadonlySet<string>, text: string): boolean {
  const claim = text.replace(ATTRIBUTED, ' ');
  const wanted = [...words(claim)].filter((word) => word.length > 3);
  const found = wanted.filter((word) => spoken.has(word)).length;
  const approves = APPROVAL.test(text);
  return (
    found >= wanted.length * (approves ? 0.6 : 0.4) &&
    (!approves || [...words(APPROVAL.exec(text)![0])].some((word) => spoken.has(word)) || spoken.has('yes'))
  );
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []);
}

function textOf(body: Entry['body']): string {
  if (body.kind !== 'message') return '';
  return body.parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join(' ');
}

function rejected(reason: string): ThroughlineError {
  return new ThroughlineError('summary-rejected', `The summary was not used: ${reason}.`, {
    details: { reason },
  });
}
