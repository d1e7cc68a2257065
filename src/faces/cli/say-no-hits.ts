import type { z } from 'zod';
import { type App, perform } from '../../operations/index.ts';
import type { FilterFields } from '../../operations/search/index.ts';
import { sayCount } from '../../text/index.ts';
import { cutToWidth } from './terminal/text-width.ts';
import { visibleLine } from './terminal/visible-text.ts';

export type SearchFilters = z.input<typeof FilterFields>;

interface AskedSearch {
  readonly query: string;
  readonly by: 'both' | 'words' | 'meaning';
  readonly filters: SearchFilters;
}

/** Says that nothing was found, and what could help: only advice that would change something. */
export async function sayNoHits(app: App, { query, by, filters }: AskedSearch): Promise<string[]> {
  const recall = await (await app.index()).open();
  const { messages } = await recall.stats();
  if (messages === 0) return ['There are no messages to search yet.'];
  const asked = query.trim();
  const what = asked ? `Nothing fits ${quote(asked)}` : 'Nothing is there';
  const helps = [...(await withoutFilters(app, { query, by, filters })), ...otherWords(asked, by)];
  return [`${what} in ${sayCount(messages, 'message')}.`, ...helps];
}

/** A longer quote tells a reader no more about the query. */
const LONGEST_QUOTE = 100;

function quote(asked: string): string {
  const bare = /^["“].+["”]$/s.test(asked) ? asked.slice(1, -1) : asked;
  return `"${cutToWidth(visibleLine(bare.slice(0, 4 * LONGEST_QUOTE)), LONGEST_QUOTE)}"`;
}

async function withoutFilters(app: App, { query, by, filters }: AskedSearch): Promise<string[]> {
  const { searchSessions } = await import('../../operations/search/index.ts');
  const isFound = async (place?: 'trashed') =>
    (await perform(searchSessions, { query, by, limit: 1, place }, app)).hits.length > 0;
  if (Object.keys(filters).length > 0 && (await isFound())) return ['Without the filters there are hits.'];
  if (filters.place !== undefined || filters.sessionId !== undefined) return [];
  return (await isFound('trashed')) ? ['There are hits in the trash: add --trashed.'] : [];
}

/** Where words are not spaced, one character is a start already. */
const SHORT_START =
  /(?<![\p{L}\p{N}\p{M}])(?![\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}]{1,2}\*(?=[\s,;!?]|$)/u;

function otherWords(query: string, by: AskedSearch['by']): string[] {
  if (query === '') return [];
  const [short] = SHORT_START.exec(query) ?? [];
  if (short !== undefined)
    return [`A start needs three letters or more; "${visibleLine(short)}" is looked for as a word.`];
  if (by === 'words') return ['Without --words, messages that mean the like are found, too.'];
  if (query.includes('*')) return ['Try other words, or a shorter start.'];
  return ['Try other words, or the start of one with a star: migrat*'];
}
