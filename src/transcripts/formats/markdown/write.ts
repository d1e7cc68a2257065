import {
  closingSummaryIn,
  type EntryBody,
  type Restoration,
  type Seq,
  type Summary,
} from '../../../record/index.ts';
import { standing } from '../../export/interleave.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { isImportOrigin, originOf } from '../../import-origin.ts';
import { fieldsOf, textOf } from '../../source/fields.ts';
import type { OutgoingEntry, OutgoingSession, Writer } from '../../transcript.ts';
import type { MarkdownHeader, MarkdownQuery, MarkdownRestored, MarkdownStats } from './document.ts';
import { renderHeader, renderQuery, renderRestored, renderSummaryBlock, sayTimeOfDay } from './render.ts';
import { type MarkdownTurn, type MarkdownTurnOptions, turnsOf } from './turns.ts';

export const MARKDOWN_FORMAT = 'markdown';

export interface MarkdownOptions extends MarkdownTurnOptions {
  /** Where the transcript of the session that this one was resumed from lies. */
  readonly previousSession?: string;
  /** Said in the header. */
  readonly forkedFrom?: string;
  /** Only what comes after an entry, with so many questions before it: the own part of a fork, the end of a long one. */
  readonly from?: { readonly after: Seq; readonly queries: number };
  /** What it came to, if it says nothing about that itself. */
  readonly closing?: Summary;
  readonly onLeftOut?: (entry: OutgoingEntry) => void;
}

/** A session as a markdown transcript: one line of conversation, with its summary at the end if it was closed with one. */
export const writeMarkdown: Writer = async function* ({ asked }, options = {}) {
  const file = `${asked.info.id}.md`;
  for await (const { text } of markdownPieces(asked, options)) yield { file, text };
};

/** The whole transcript of a session as one text. */
export async function sessionToMarkdown(
  session: OutgoingSession,
  options: MarkdownOptions = {},
): Promise<string> {
  const texts: string[] = [];
  for await (const { text } of markdownPieces(session, options)) texts.push(text);
  return texts.join('');
}

/** A piece of a transcript: the header, a turn, what it began with, what it ends with. */
interface MarkdownPiece {
  readonly text: string;
  /** Set where a turn begins: the question's entry, and how many questions came before. */
  readonly turn?: { readonly seq: Seq; readonly queries: number };
}

/** The pieces of a transcript, in order; the first one is the header. */
export async function* markdownPieces(
  session: OutgoingSession,
  options: MarkdownOptions = {},
): AsyncGenerator<MarkdownPiece> {
  const origin = originOf(session.info, MARKDOWN_FORMAT);
  const { after, queries: known } = options.from ?? { after: 0, queries: 0 };
  const header = headerOf(session, options);
  let queries = known;
  let closing: Closing | undefined;
  let begun = false;

  function* begin(text = renderHeader(header)): Generator<MarkdownPiece> {
    if (!begun) yield { text };
    begun = true;
  }

  const between = ({ body }: OutgoingEntry) =>
    closingIn(body) !== undefined || foreignLineOf(MARKDOWN_FORMAT, body) !== undefined;
  for await (const one of turnsOf(standing(session, after), { ...options, between })) {
    if ('asked' in one) {
      yield* begin();
      // A summary that a file had in the middle stays there; of ours only the last one is the session's.
      if (closing?.block !== undefined) yield { text: `${closing.block}\n\n` };
      closing = undefined;
      const text = renderQuery(queryOf(one, queries + 1), header.agent);
      yield { text, turn: { seq: one.asked.seq, queries } };
      queries++;
      continue;
    }
    const { body } = one;
    const carried = foreignLineOf(MARKDOWN_FORMAT, body);
    if (carried?.type === 'header') yield* begin(withTotal(`${carried.text}\n---\n\n`, session));
    else if (carried) yield { text: `${carried.text}\n\n---\n\n` };
    else if (body.kind === 'restoration') {
      yield* begin();
      yield { text: renderRestored(restoredOf(one, body, options), header.agent) };
    } else if (closingIn(body)) {
      const found = closingIn(body)!;
      // The closing summary says more than compactions on the way.
      if (body.kind !== 'compaction' || !closing?.left) closing = found;
    } else if (!isImportOrigin(one, origin) && body.kind !== 'setting' && body.kind !== 'mark')
      options.onLeftOut?.(one);
  }
  yield* begin();
  if (closing) yield { text: closing.text };
  else if (options.closing) yield { text: renderSummaryBlock(options.closing) };
}

/** What stands at the end of a transcript, if nothing was said after it. */
interface Closing {
  readonly text: string;
  /** As a file had it. */
  readonly block?: string;
  /** The session was left with it. */
  readonly left: boolean;
}

function closingIn(body: EntryBody): Closing | undefined {
  const left = closingSummaryIn(body);
  const summary = left?.summary ?? (body.kind === 'compaction' ? body.summary : undefined);
  if (!summary) return undefined;
  const { meta } = body as { meta?: Readonly<Record<string, unknown>> };
  const block = textOf(fieldsOf(meta?.[MARKDOWN_FORMAT]).block);
  const text = block === undefined ? renderSummaryBlock(summary) : `${block}\n`;
  return { text, left: left !== undefined, ...(block !== undefined && { block }) };
}

function headerOf({ info }: OutgoingSession, { forkedFrom }: MarkdownOptions): MarkdownHeader {
  const { agent, agentPath } = info.state.settings;
  return {
    sessionId: originOf(info, MARKDOWN_FORMAT)?.session ?? info.id,
    date: info.createdAt,
    agent: agent ?? 'Assistant',
    ...(agentPath !== undefined && { agentPath }),
    totalQueries: info.totals.queries,
    ...(forkedFrom !== undefined && { forkedFrom }),
  };
}

/** The header of a file as it was, with the number of questions as it is. */
function withTotal(header: string, { info }: OutgoingSession): string {
  return header.replace(/^(\*\*Total Queries:\*\*\s*)\d+/m, `$1${info.totals.queries}`);
}

function queryOf(
  { asked, question, answer, usage, durationMs }: MarkdownTurn,
  number: number,
): MarkdownQuery {
  const kept = asked.body.kind === 'message' ? fieldsOf(asked.body.meta?.[MARKDOWN_FORMAT]) : {};
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
  const { time, from, previous } = fieldsOf(meta?.[MARKDOWN_FORMAT]);
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
