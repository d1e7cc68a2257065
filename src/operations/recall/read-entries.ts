import { z } from 'zod';
import { getSession } from '../../session/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { MaxTokensField, OriginalRecord } from './original-record.ts';

export const readEntries = operation({
  name: 'session/read',
  summary:
    'Reads an entry of a conversation as it was written, with the messages around it. Without "entry" it reads the end of the conversation. What is too long is cut, and says where to read on.',
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    entry: z
      .union([z.int().min(1), z.string().max(60)])
      .optional()
      .describe('The number or id of an entry, as a hit has it.'),
    around: z.int().min(0).max(50).optional().describe('How many messages before and after it to read too.'),
    offset: z.int().min(0).optional().describe('Where in a long entry to go on reading.'),
    maxTokens: MaxTokensField,
  }),
  result: z.strictObject({
    session: z.string(),
    entries: z.array(OriginalRecord).readonly().describe('In the order of the log.'),
    leftOut: z.int().describe('Of those around it, how many there was no room for.'),
  }),
  faces: { mcp: ['read'] },
  async run({ sessionId, entry, around, offset, maxTokens }, { store }) {
    const { parseEntry, readOriginals } = await import('../../recollection/index.ts');
    // Not `app.find`: the log of a project's memory can be read too, by its whole id.
    const info = await getSession(store, sessionId);
    const originals = await readOriginals(store, info, {
      ...(entry !== undefined && { entry: parseEntry(entry) }),
      maxTokens,
      ...(around !== undefined && { around }),
      ...(offset !== undefined && { offset }),
    });
    return { session: info.id, ...originals };
  },
});
