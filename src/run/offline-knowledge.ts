import { digestEntries } from '../compaction/index.ts';
import {
  fittingQuotes,
  isAsking,
  isOfflineAnswer,
  type OfflineModelOptions,
  type Quote,
  sentencesOf,
} from '../models/index.ts';
import type { SummaryLine } from '../record/index.ts';
import { readConversation, type Session } from '../session/index.ts';
import type { TurnOptions } from './turn-options.ts';

const MOST = 8;
const DIGEST_TOKENS = 600;
const ABOUT_THE_WORK =
  /\b(?:where (?:were|are|did) we|status|summar\w*|recap|so far|decid\w*|decisions?|open|pending|to-?dos?|left|next|done|finished)\b/i;

/** What the offline model answers from: this session as it is sent, what is known beyond it, and where the work stands. */
export function knownAbout(
  session: Session,
  knowledge: TurnOptions['knowledge'],
): NonNullable<OfflineModelOptions['quote']> {
  return async (question, before) => {
    const known = await (knowledge?.(question, session.info) ?? Promise.resolve([])).catch(() => []);
    // Weighed together, so that what only half fits here does not stand beside what fits there.
    const fitting = fittingQuotes(question, distinct([...sentencesOf(before), ...known]));
    const stands = isAsking(question) && ABOUT_THE_WORK.test(question) ? await whereItStands(session) : [];
    return distinct([...fitting, ...stands]).slice(0, MOST);
  };
}

async function whereItStands(session: Session): Promise<Quote[]> {
  const { frontier } = await readConversation(session.store, session.info);
  // The question itself is no news, and an answer of this model only repeats what was said.
  const earlier = frontier.filter(({ body }, index) => index < frontier.length - 1 && !isOfflineAnswer(body));
  if (earlier.length === 0) return [];
  const { decisions, pending, completed } = digestEntries(earlier, { maxTokens: DIGEST_TOKENS });
  const lines = (who: string, list: readonly SummaryLine[]) =>
    list.map(({ text }): Quote => ({ who, text, from: 'work' }));
  return [...lines('decided', decisions), ...lines('open', pending), ...lines('done', completed)];
}

/** Of what was said twice, the first: closer to where one is. */
function distinct(quotes: readonly Quote[]): Quote[] {
  const said = new Set<string>();
  return quotes.filter(({ text }) => {
    const same = text.trim().toLowerCase();
    return !said.has(same) && said.add(same);
  });
}
