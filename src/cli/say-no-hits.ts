import type { Filters, Recall, SearchOptions } from '../recall/index.ts';
import { sayCount } from './terminal/say.ts';
import { visibleLine } from './terminal/visible-text.ts';

/** Says that nothing was found, and what could help: only advice that would change something. */
export async function sayNoHits(recall: Recall, query: string, options: SearchOptions): Promise<string[]> {
  const { messages } = await recall.stats();
  if (messages === 0) return ['There are no messages to search yet.'];
  const asked = query.trim();
  const quoted = /^["“].*["”]$/s.test(asked) ? asked : `"${asked}"`;
  const what = asked ? `Nothing fits ${visibleLine(quoted)}` : 'Nothing is there';
  const { by, limit: _, mark: __, ...filters } = options;
  const helps = [...(await withoutFilters(recall, query, { by, filters })), ...otherWords(asked, by)];
  return [`${what} in ${sayCount(messages, 'message')}.`, ...helps];
}

async function withoutFilters(
  recall: Recall,
  query: string,
  { by, filters }: { by: SearchOptions['by']; filters: Filters },
): Promise<string[]> {
  const how = by && { by };
  if (Object.keys(filters).length > 0) {
    const found = await recall.search(query, { ...how, limit: 1 });
    if (found.length > 0) return ['Without the filters there are hits.'];
  }
  if (filters.place !== undefined || filters.session !== undefined) return [];
  const trashed = await recall.search(query, { ...how, limit: 1, place: 'trashed' });
  return trashed.length > 0 ? ['There are hits in the trash: add --trashed.'] : [];
}

function otherWords(query: string, by: SearchOptions['by']): string[] {
  if (query === '') return [];
  if (/["“]/.test(query))
    return ['In quotes every letter counts; without them, other forms of the words are found.'];
  if (by === 'words') return ['Without --words, messages that mean the like are found, too.'];
  return ['Try other words, or the start of one with a star: migrat*'];
}
