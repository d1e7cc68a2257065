import { z } from 'zod';
import { createOpenCheck, gatherOriginals, renderOriginals } from '../../recollection/index.ts';
import { FILTERS, MAX_TOKENS, readFilters, TOKENS } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';
import { sayBehind } from '../say-behind.ts';

/** What stands around all of it, and before each message: number, role, day and session. */
const FRAME_TOKENS = 30;
const LABEL_TOKENS = 40;

export const recall = mcpTool({
  name: 'recall',
  title: 'Recall what was said',
  description:
    'Gives what earlier conversations say about a question, word for word and ready to read: the best message with what was said right before and after it, then the next best, as far as the room goes. Use it before you say that something is not known, and before you ask a person again.',
  inputSchema: FILTERS.extend({
    question: z.string().min(1).max(2000).describe('What you want to know, in a sentence.'),
    maxTokens: MAX_TOKENS,
  }),
  async run({ question, maxTokens = TOKENS, ...fields }, { library }) {
    const { store, recall: index, behind } = await library.searchable();
    const filters = await readFilters(store, fields);
    const originals = await gatherOriginals(store, index, question, {
      filters,
      maxTokens: maxTokens - FRAME_TOKENS,
      labelTokens: LABEL_TOKENS,
      redact: (text) => text,
      seenIn: (owner) => filters.session ?? owner,
      isOpen: createOpenCheck(store),
    });
    const entries = originals.map((original) => ({ ...original, length: original.text.length }));
    const lines = [renderOriginals({ entries, leftOut: 0 }, {}), ...sayBehind(behind)];
    return { text: lines.join('\n'), data: { originals, ...(behind && { behind }) } };
  },
});
