import type { Entry, Summary, SummaryCall } from '../record/index.ts';
import { readLooseSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { withSources } from './find-sources.ts';
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
