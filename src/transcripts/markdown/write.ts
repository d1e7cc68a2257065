import type { Restoration, Summary } from '../../record/index.ts';
import { isBirth, originOf } from '../birth.ts';
import { carriedLine } from '../carried.ts';
import { standing } from '../export/interleave.ts';
import { fieldsOf, textOf } from '../source/fields.ts';
import type { OutgoingEntry, OutgoingSession, Writer } from '../transcript.ts';
import type { MarkdownHeader, MarkdownQuery, MarkdownRestored, MarkdownStats } from './document.ts';
import { renderHeader, renderQuery, renderRestored, renderSummaryBlock, sayTimeOfDay } from './render.ts';
import { type Turn, type TurnOptions, turnsOf } from './turns.ts';

export const FORMAT = 'markdown';

export interface MarkdownOptions extends TurnOptions {
  /** Where the transcript of the session that this one was resumed from lies. */
  readonly previousSession?: string;
  readonly onLeftOut?: (entry: OutgoingEntry) => void;
}

/** A session as a markdown transcript: one line of conversation, with its summary at the end if it was closed with one. */
export const writeMarkdown: Writer = async function* ({ asked }, options = {}) {
  const file = `${asked.info.id}.md`;
  for await (const text of markdownOf(asked, options)) yield { file, text };
};

/** The whole transcript of a session as one text. */
export async function sessionToMarkdown(
  session: OutgoingSession,
  options: MarkdownOptions = {},
): Promise<string> {
  const texts: string[] = [];
  for await (const text of markdownOf(session, options)) texts.push(text);
  return texts.join('');
}

async function* markdownOf(session: OutgoingSession, options: MarkdownOptions): AsyncGenerator<string> {
  const origin = originOf(session.info, FORMAT);
  const header = headerOf(session);
  let queries = 0;
  let closing: { summary: Summary; block?: string } | undefined;
  let begun = false;

  function* begin(text = renderHeader(header)): Generator<string> {
    if (!begun) yield text;
    begun = true;
  }

  const between = ({ body }: OutgoingEntry) =>
    body.kind === 'compaction' || carriedLine(FORMAT, body) !== undefined;
  for await (const one of turnsOf(standing(session), { ...options, between })) {
    if ('asked' in one) {
      yield* begin();
      queries++;
      closing = undefined;
      yield renderQuery(queryOf(one, queries), header.agent);
      continue;
    }
    const { body } = one;
    const carried = carriedLine(FORMAT, body);
    if (carried?.type === 'header') yield* begin(withTotal(`${carried.text}\n---\n\n`, session));
    else if (carried) yield `${carried.text}\n\n---\n\n`;
    else if (body.kind === 'restoration') {
      yield* begin();
      yield renderRestored(restoredOf(one, body, options), header.agent);
    } else if (body.kind === 'compaction') {
      const block = textOf(fieldsOf(body.meta?.[FORMAT]).block);
      closing = { summary: body.summary, ...(block !== undefined && { block }) };
    } else if (!isBirth(one, origin) && body.kind !== 'setting' && body.kind !== 'mark')
      options.onLeftOut?.(one);
  }
  yield* begin();
  if (closing) yield closing.block === undefined ? renderSummaryBlock(closing.summary) : `${closing.block}\n`;
}

function headerOf({ info }: OutgoingSession): MarkdownHeader {
  const { agent, agentPath } = info.state.settings;
  return {
    sessionId: originOf(info, FORMAT)?.session ?? info.id,
    date: info.createdAt,
    agent: textOf(agent) ?? 'Assistant',
    ...(typeof agentPath === 'string' && { agentPath }),
    totalQueries: info.totals.queries,
  };
}

/** The header of a file as it was, with the number of questions as it is. */
function withTotal(header: string, { info }: OutgoingSession): string {
  return header.replace(/^(\*\*Total Queries:\*\*\s*)\d+/m, `$1${info.totals.queries}`);
}

function queryOf({ asked, question, answer, usage, durationMs }: Turn, number: number): MarkdownQuery {
  const kept = asked.body.kind === 'message' ? fieldsOf(asked.body.meta?.[FORMAT]) : {};
  const stats = statsOf(usage, durationMs);
  return {
    number: typeof kept.number === 'number' ? kept.number : number,
    time: textOf(kept.time) ?? sayTimeOfDay(asked.at),
    question,
    ...(answer !== undefined && { answer }),
    ...(stats && { stats }),
  };
}

function statsOf(
  usage: { inputTokens: number; outputTokens: number } | undefined,
  durationMs: number | undefined,
): MarkdownStats | undefined {
  if (!usage && durationMs === undefined) return undefined;
  return {
    ...(durationMs !== undefined && { seconds: durationMs / 1000 }),
    ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
  };
}

function restoredOf(
  { at }: OutgoingEntry,
  { parent, queries, tokens, acknowledgement, meta }: Restoration,
  { previousSession }: MarkdownOptions,
): MarkdownRestored {
  const { time, from, previous } = fieldsOf(meta?.[FORMAT]);
  const stats = statsOf(acknowledgement?.usage, acknowledgement?.durationMs);
  const path = previousSession ?? textOf(previous);
  const answer = acknowledgement?.parts.map(({ text }) => textOf(text) ?? '').join('\n\n') ?? '';
  return {
    time: textOf(time) ?? sayTimeOfDay(at),
    from: textOf(from) ?? parent,
    ...(queries !== undefined && { queries }),
    ...(tokens !== undefined && { tokens }),
    ...(path !== undefined && { previousSession: path }),
    answer,
    ...(stats && { stats }),
  };
}
