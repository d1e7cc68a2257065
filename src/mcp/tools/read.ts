import { perform } from '../../operations/index.ts';
import { readEntries } from '../../operations/recall/index.ts';
import { renderOriginals } from '../../recollection/index.ts';
import { findSession } from '../../session/index.ts';
import { SESSION, sayFound } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';

export const read = mcpTool({
  name: 'read',
  title: 'Read a conversation',
  description: readEntries.summary,
  inputSchema: readEntries.params.omit({ sessionId: true }).extend({ session: SESSION }),
  async run({ session, ...asked }, { library }) {
    await using app = await library.app();
    const info = await findSession(app.store, session);
    const originals = await perform(readEntries, { sessionId: info.id, ...asked }, app);
    const text = [...sayFound(session, info), renderOriginals(originals, {})].join('\n');
    return { text, data: originals };
  },
});
