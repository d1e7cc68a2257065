import { perform } from '../../operations/index.ts';
import { readEntries } from '../../operations/recall/index.ts';
import { renderOriginals } from '../../recollection/index.ts';
import { getSession } from '../../session/index.ts';
import { SESSION_ID } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';

export const read = mcpTool({
  name: 'read',
  title: 'Read a conversation',
  description: readEntries.summary,
  inputSchema: readEntries.params.omit({ sessionId: true }).extend({ session: SESSION_ID }),
  async run({ session, ...asked }, { library }) {
    await using app = await library.app();
    const { id } = await getSession(app.store, session);
    const originals = await perform(readEntries, { sessionId: id, ...asked }, app);
    return { text: renderOriginals(originals, {}), data: originals };
  },
});
