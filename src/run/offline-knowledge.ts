import { digestEntries } from '../compaction/index.ts';
import { isOfflineAnswer, type OfflineModelOptions, type Quote, quoteFromPrompt } from '../models/index.ts';
import type { SummaryLine } from '../record/index.ts';
import { readConversation, type Session } from '../session/index.ts';
import type { TurnOptions } from './turn-options.ts';

const MOST = 8;
/** With fewer than this said about a question, where the work stands is worth telling as well. */
const ENOUGH = 3;
const DIGEST_TOKENS = 600;
const ABOUT_THE_WORK =
  /\b(?:where (?:were|are|did) we|status|summar|recap|so far|decid|decision|open|pending|to-?dos?|left|next|done|finished)\b/i;

/** A statement is kept, and nobody wants to be told the news. */
const ASKS =
  /[?？]|^\s*(?:who|what|when|where|which|why|how|is|are|do|does|did|can|could|should|will|was|were)\b/i;

/** What the offline model answers from: this session as it is sent, what is known beyond it, and where the work stands. */
export function knownAbout(
  session: Session,
  knowledge: TurnOptions['knowledge'],
): NonNullable<OfflineModelOptions['quote']> {
  return async (question, before) => {
    const said = quoteFromPrompt(question, before);
    const known = await (knowledge?.(question, session.info) ?? Promise.resolve([])).catch(() => []);
    const little = said.length + known.length < ENOUGH && ASKS.test(question);
    const wanted = little || ABOUT_THE_WORK.test(question);
    const stands = wanted ? await whereItStands(session) : [];
    return distinct([...known, ...said, ...stands]).slice(0, MOST);
  };
}

async function whereItStands(session: Session): Promise<Quote[]> {
  const { frontier } = await readConversation(session.store, session.info);
  // The question itself is no news, and an answer of this model only repeats what was said.
  const earlier = frontier.filter(({ body }, index) => index < frontier.length - 1 && !isOfflineAnswer(body));
  if (earlier.length === 0) return [];
  const { decisions, pending, completed } = digestEntries(earlier, { maxTokens: DIGEST_TOKENS });
  const lines = (who: string, list: readonly SummaryLine[]) => list.map(({ text }) => ({ who, text }));
  return [...lines('decided', decisions), ...lines('open', pending), ...lines('done', completed)];
}

function distinct(quotes: readonly Quote[]): Quote[] {
  return [...new Map(quotes.map((quote) => [quote.text.trim().toLowerCase(), quote])).values()];
}
