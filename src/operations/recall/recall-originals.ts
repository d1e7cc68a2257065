import { z } from 'zod';
import type { RecalledOriginal } from '../../search/index.ts';
import { getSession } from '../../session/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Behind, FilterFields, filtersIn } from '../search/filter-fields.ts';

const OriginalRecord = z.strictObject({
  session: z.string(),
  entry: z.string(),
  seq: z.int(),
  at: z.number(),
  role: z.string().describe('The speaker; the kind of the entry if it is no message.'),
  text: z.string(),
  length: z.int().describe('Of the whole text, in characters.'),
  nextOffset: z.int().exactOptional().describe('Where to read on, if `text` is not all.'),
}) satisfies z.ZodType<RecalledOriginal>;

const MaxTokensField = z
  .int()
  .min(100)
  .max(10_000)
  .default(2000)
  .describe('How long the answer may be; 2,000 tokens unless given.');

/** The frame around the whole answer, and the label before each message: number, role, day and session. */
const FRAME_TOKENS = 30;
const LABEL_TOKENS = 40;

export const recallOriginals = operation({
  name: 'recall',
  summary:
    'Gives what earlier conversations say about a question, word for word and ready to read: the best message with what was said right before and after it, then the next best, as far as the room goes.',
  params: z.strictObject({
    question: z.string().min(1).max(2000).describe('What you want to know, in a sentence.'),
    ...FilterFields.shape,
    maxTokens: MaxTokensField,
  }),
  result: z.strictObject({
    originals: z
      .array(
        z.strictObject({
          session: z.string(),
          entry: z.string(),
          seq: z.int(),
          at: z.number(),
          role: z.string(),
          text: z.string(),
        }),
      )
      .describe('Best first.'),
    behind: Behind,
  }),
  faces: { mcp: ['recall'] },
  async run({ question, maxTokens, ...asked }, app) {
    const { createOpenCheck, gatherOriginals } = await import('../../search/index.ts');
    const filters = await filtersIn(asked, app);
    const { recall, behind } = await (await app.index()).current();
    const gathered = await gatherOriginals(app.store, recall, question, {
      filters,
      maxTokens: maxTokens - FRAME_TOKENS,
      labelTokens: LABEL_TOKENS,
      redact: (text) => text,
      seenIn: (owner) => filters.session ?? owner,
      isOpen: createOpenCheck(app.store),
    });
    return { originals: gathered.map((original) => ({ ...original })), behind };
  },
});

export const readEntriesOperation = operation({
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
    const { parseEntry, readOriginals } = await import('../../search/index.ts');
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
