import { z } from 'zod';
import { parseEntry, readOriginals, renderOriginals } from '../../recollection/index.ts';
import { findSession } from '../../session/index.ts';
import { MAX_TOKENS, SESSION, sayFound, TOKENS } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';

export const read = mcpTool({
  name: 'read',
  title: 'Read a conversation',
  description:
    'Reads an entry of a conversation as it was written, with the messages around it. Without "entry" it reads the end of the conversation. What is too long is cut, and says where to read on.',
  inputSchema: z.strictObject({
    session: SESSION,
    entry: z
      .union([z.int().min(1), z.string().max(60)])
      .optional()
      .describe('The number or id of an entry, as a hit has it.'),
    around: z.int().min(0).max(50).optional().describe('How many messages before and after it to read too.'),
    offset: z.int().min(0).optional().describe('Where in a long entry to go on reading.'),
    maxTokens: MAX_TOKENS,
  }),
  async run({ session, entry, around, offset, maxTokens = TOKENS }, { library }) {
    const store = await library.store();
    const info = await findSession(store, session);
    const originals = await readOriginals(store, info, {
      ...(entry !== undefined && { entry: parseEntry(entry) }),
      maxTokens,
      ...(around !== undefined && { around }),
      ...(offset !== undefined && { offset }),
    });
    const text = [...sayFound(session, info), renderOriginals(originals, {})].join('\n');
    return { text, data: { session: info.id, ...originals } };
  },
});
