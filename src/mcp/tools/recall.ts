import { perform } from '../../operations/index.ts';
import { recallOriginals } from '../../operations/recall/index.ts';
import { renderOriginals } from '../../recollection/index.ts';
import { FILTERS, readFilters } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';
import { sayBehind } from '../say-behind.ts';

const { question, maxTokens } = recallOriginals.params.shape;

export const recall = mcpTool({
  name: 'recall',
  title: 'Recall what was said',
  description: `${recallOriginals.summary} Use it before you say that something is not known, and before you ask a person again.`,
  inputSchema: FILTERS.extend({ question, maxTokens }),
  async run({ question: asked, maxTokens: room, ...fields }, { library }) {
    await using app = await library.app();
    const filters = await readFilters(app.store, fields);
    const found = await perform(recallOriginals, { question: asked, maxTokens: room, ...filters }, app);
    const { originals, behind } = found;
    const entries = originals.map((original) => ({ ...original, length: original.text.length }));
    const lines = [renderOriginals({ entries, leftOut: 0 }, {}), ...sayBehind(behind)];
    return { text: lines.join('\n'), data: { originals, ...(behind && { behind }) } };
  },
});
