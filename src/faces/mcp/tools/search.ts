import { z } from 'zod';
import { perform } from '../../../operations/index.ts';
import { searchSessions } from '../../../operations/search/index.ts';
import { renderHits } from '../../../search/index.ts';
import { sayBehind } from '../library.ts';
import { FILTERS, mcpTool, readFilters } from '../mcp-tool.ts';

const LIMIT = 10;
const WHY = { name: 'is called or labelled so', file: 'worked on this file' };
const SNIPPET_LENGTH = 300;

export const search = mcpTool({
  name: 'search',
  title: 'Search conversations',
  description: `${searchSessions.summary} Gives snippets of all kept conversations, with session and entry number; "read" opens one. "Quoted words" are looked for exactly first, start* finds what begins so, and an empty query gives the newest.`,
  inputSchema: FILTERS.extend({
    query: z.string().max(2000).describe('Words, names, paths, or a question.'),
    limit: z.int().min(1).max(50).optional().describe(`How many hits; ${LIMIT} unless given.`),
  }),
  async run({ query, limit = LIMIT, ...fields }, { library }) {
    await using app = await library.app();
    const filters = await readFilters(app.store, fields);
    const asked = { query, limit, ...filters, snippetLength: SNIPPET_LENGTH, openOnly: true };
    const { hits, sessions, more, loose, behind } = await perform(searchSessions, asked, app);
    const lines = [
      ...sessions.map(({ id, title, by }) => `Session ${id} ${WHY[by]}: ${title}`),
      ...(loose ? ['No message holds what is in quotes; these were found without the quotes.'] : []),
      renderHits(hits, { how: 'give its session and number to "read"' }),
      ...sayBehind(behind),
    ];
    const data = {
      hits,
      ...(sessions.length > 0 && { sessions }),
      ...(more && { more }),
      ...(loose && { loose }),
      ...(behind && { behind }),
    };
    return { text: lines.join('\n'), data };
  },
});
