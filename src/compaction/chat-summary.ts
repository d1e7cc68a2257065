import {
  type Entry,
  type EntryId,
  mapLines,
  type Summary,
  type SummaryCall,
  summaryIn,
} from '../record/index.ts';
import { lineWords, readLooseSummary, renderSummary } from '../summary/index.ts';
import { sayMessage } from '../text/index.ts';
import { countText } from '../tokens/index.ts';
import type { AnswerLimits } from './summarise-in-pieces.ts';
import type { SummariseRequest } from './summariser.ts';
import { chatPrompt } from './summary-prompt.ts';
import { transcriptText } from './transcript-text.ts';
import { refuseUnusable, rejected } from './verify-summary.ts';

/** The question behind the messages of the chat. */
export interface ChatQuestion {
  readonly text: string;
  /** What the answer is about: it has to be in the chat, whole. */
  readonly entries: readonly Entry[];
  /** Tokens that another request about the same would have. */
  readonly otherwise: number;
}

export interface ChatAnswer {
  readonly text: string;
  readonly cutOff: boolean;
}

/**
 * Asks the model of the chat as the chat does: the same system prompt, tools and messages, and a question behind them, so that
 * the provider reads all but the question from its cache. Answers with nothing but the reason where that is not possible or not
 * worth it.
 */
export type AskInChat = (
  question: ChatQuestion,
  how: AnswerLimits,
) => Promise<{ readonly answer?: ChatAnswer; readonly call: SummaryCall }>;

/** A summary from the chat itself, or why it needs a separate call. */
export async function summariseInChat(
  ask: AskInChat,
  request: SummariseRequest,
  how: AnswerLimits,
): Promise<{ readonly summary?: Summary; readonly call: SummaryCall }> {
  const { entries } = request;
  const question = {
    text: chatPrompt(request),
    entries,
    otherwise: countText(transcriptText(entries)),
  };
  const { answer, call } = await ask(question, how);
  if (!answer) return { call };
  const summary = readLooseSummary(answer.text);
  if (!summary) throw rejected(/\S/.test(answer.text) ? 'it has no record in it' : 'it is empty');
  refuseUnusable({ summary, cutOff: answer.cutOff }, entries);
  return { summary: withSources(summary, entries), call };
}

/** Share of what the words of a line weigh that an entry has to have: rare words weigh more. */
const LEAST_SHARE = 0.5;
const MOST_SOURCES = 3;

/** The summary with the entries that its lines come from, where a model did not say them: those that have most of the words. */
function withSources(summary: Summary, entries: readonly Entry[]): Summary {
  const sources = entries.map((entry) => ({ id: entry.id, words: lineWords(textOf(entry)) }));
  const holders = new Map<string, number>();
  for (const { words } of sources) for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weigh = (word: string) => Math.log(1 + sources.length / (holders.get(word) ?? sources.length));
  const find = (text: string): EntryId[] => {
    const words = [...lineWords(text)].filter((word) => holders.has(word));
    const all = words.reduce((sum, word) => sum + weigh(word), 0);
    if (all === 0) return [];
    const scored = sources.map(({ id, words: said }) => ({
      id,
      share: words.reduce((sum, word) => (said.has(word) ? sum + weigh(word) : sum), 0) / all,
    }));
    const best = Math.max(...scored.map(({ share }) => share));
    return scored
      .filter(({ share }) => share >= LEAST_SHARE && share === best)
      .slice(0, MOST_SOURCES)
      .map(({ id }) => id);
  };
  return mapLines(summary, (lines) =>
    lines.map((line) => (line.from.length > 0 ? line : { ...line, from: find(line.text) })),
  );
}

function textOf({ body }: Entry): string {
  if (body.kind === 'message') return sayMessage(body);
  const held = summaryIn(body);
  return held ? renderSummary({ ...held, background: '' }) : '';
}
