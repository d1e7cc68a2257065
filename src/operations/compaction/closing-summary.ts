import { digestVersion, type RangeDraft, type Summariser, summariseRange } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { isOfflineAnswer } from '../../models/index.ts';
import {
  CLOSING_SUMMARY,
  type Document,
  type Entry,
  emptySummary,
  isHidden,
  type SessionInfo,
  type Summary,
  type Usage,
} from '../../record/index.ts';
import { readConversation, type Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';

// The summary that a session is left with. It is a document and not a compaction: a session that goes on the next day shows
// the model every word, and only a session that is resumed from it starts from the summary.

const SUMMARY_TOKENS = 800;
/** A summary that is longer than the conversation is harmless: it does not stand in its place. */
const SHORT = 20_000;

interface DraftOptions {
  /** The digest unless given. */
  readonly summariser?: Summariser | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onUsage?: (usage: Usage) => void;
}

/** The conversation as a summary: by the summariser, tried twice, or by the digest. Nothing is written. */
export async function draftClosingSummary(
  store: Store,
  info: SessionInfo,
  { summariser, timeoutMs, signal, onUsage }: DraftOptions = {},
): Promise<RangeDraft | undefined> {
  const { frontier, marks } = await readConversation(store, info);
  const entries = frontier.filter(
    (entry) => entry.body.kind !== 'restoration' && !isHidden(marks, entry) && !isOfflineAnswer(entry.body),
  );
  if (entries.length === 0) return undefined;
  const before = restored(frontier);
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  const drafted = summariseRange(
    {
      entries,
      tokensBefore: Math.max(tokens, SHORT),
      maxTokens: SUMMARY_TOKENS,
      ...(before && { before }),
      ...(before?.foreign && { foreign: before.foreign }),
    },
    {
      ...(summariser && { summariser }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
      ...(onUsage && { onUsage }),
    },
  );
  const draft = await drafted.catch((error: unknown) => {
    if (summariser || !isThroughlineError(error, 'summary-rejected')) throw error;
    return emptyDraft(before);
  });
  return { ...draft, summary: withTopics(draft, entries) };
}

export async function writeClosingSummary(
  session: Session,
  { summary, by, usage }: RangeDraft,
): Promise<void> {
  const { head } = await session.refresh();
  const body: Document = {
    kind: 'document',
    id: CLOSING_SUMMARY,
    title: 'Session summary',
    content: { summary, upTo: head },
    // Its cost is in the ledger with the compactions.
    meta: { by: by.kind, ...(by.model !== undefined && { model: by.model }), ...(usage && { usage }) },
  };
  await session.append([body]);
}

/** The digest found nothing to write down; the questions have to do. */
function emptyDraft(before: Summary | undefined): RangeDraft {
  const background = before?.overview;
  return {
    summary: {
      ...emptySummary(''),
      ...(background && { background }),
      ...(before?.foreign && { foreign: before.foreign }),
    },
    tokens: 0,
    retention: 1,
    by: { kind: 'digest', version: digestVersion },
    failures: [],
  };
}

const MOST_TOPICS = 8;
const LONGEST_TOPIC = 120;

/** The digest finds no topics in a short session; its questions say better what it is about than its first words. */
function withTopics({ summary, by }: RangeDraft, entries: readonly Entry[]): Summary {
  if (summary.topics.length > 0 || (by.kind !== 'digest' && summary.overview.trim() !== '')) return summary;
  const topics = entries.flatMap(({ id, body }) => {
    const text = body.kind === 'message' && body.role === 'user' ? body.parts[0]?.text : undefined;
    return typeof text === 'string' ? [{ text: topicOf(text), from: [id] }] : [];
  });
  return { ...summary, topics: topics.slice(-MOST_TOPICS) };
}

/** One line without control characters, cut at a code point. */
function topicOf(text: string): string {
  const line = text
    .slice(0, LONGEST_TOPIC * 16)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  const points = [...line];
  return points.length > LONGEST_TOPIC ? `${points.slice(0, LONGEST_TOPIC - 1).join('')}…` : line;
}

/** The summary that this session started from: its background, in a sentence or two. */
function restored(frontier: readonly Entry[]): Summary | undefined {
  const body = frontier.find((entry) => entry.body.kind === 'restoration')?.body;
  if (body?.kind !== 'restoration') return undefined;
  const { summary } = body;
  return summary.overview.trim() === '' ? { ...summary, overview: condense(summary) } : summary;
}

function condense({ topics, decisions, facts }: Summary): string {
  const list = (lines: readonly { text: string }[]) =>
    lines
      .slice(0, 3)
      .map(({ text }) => text.replace(/[.\s]+$/, ''))
      .join('; ');
  const about = list(topics) || list(facts);
  return [about && `Before: ${about}.`, decisions.length > 0 && `Decided: ${list(decisions)}.`]
    .filter(Boolean)
    .join(' ');
}
